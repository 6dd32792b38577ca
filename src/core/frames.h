/* Boards in the frames of a search, and solved ones in its solutions. */
#ifndef SUDOKU_CORE_FRAMES_H
#define SUDOKU_CORE_FRAMES_H

#include <assert.h>
#include <stdalign.h>

#include "board.h"
#include "guess.h"
#include "sudoku/sudoku.h"

static_assert(sizeof(struct board) <= SUDOKU_SEARCH_FRAME_WORDS * sizeof(uint16_t),
              "a board fits a frame");

INLINED struct board load_board(const struct sudoku_search *search)
{
    const uint16_t *frame = search->frame[search->depth];
    struct board board;

    for (int b = 0; b < BANDS; b++)
        board.band[b] = load(frame + (size_t)b * VECTOR_LANES * 2);
    return board;
}

INLINED void store_board(struct sudoku_search *search, const struct board *board)
{
    uint16_t *frame = search->frame[search->depth];

    for (int b = 0; b < BANDS; b++)
        store(frame + (size_t)b * VECTOR_LANES * 2, board->band[b]);
}

/* Leaves the board to be gone back to when the guess has been tried. */
INLINED void store_opposite(struct sudoku_search *search, const struct board *board,
                            const struct guess *guess)
{
    typedef uint32_t word __attribute__((may_alias));

    store_board(search, board);
    word *words = (word *)search->frame[search->depth];
    words[guess->band * VECTOR_LANES + guess->lane] &= ~guess->triad;
}

INLINED void go_back(struct sudoku_search *search, struct board *board)
{
    if (search->depth == 0) {
        search->exhausted = true;
        return;
    }
    search->depth--;
    *board = load_board(search);
}

/* Writes a solved band: the words have one bit for each value in each box. */
INLINED void write_cells(const uint32_t *words, uint8_t *ret)
{
#if defined(__AVX512BW__)
    /* Where cells 0..26 are in the order of bits: up to bit 15, and from there on. */
    const __m256i low =
        _mm256_setr_epi8(0, 1, 2, 10, 11, 12, -1, -1, -1, 3, 4, 5, 13, 14, 15, -1, -1, -1, 6, 7, 8,
                         -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m256i high =
        _mm256_setr_epi8(-1, -1, -1, -1, -1, -1, 4, 5, 6, -1, -1, -1, -1, -1, -1, 7, 8, 9, -1, -1,
                         -1, 0, 1, 2, 10, 11, 12, -1, -1, -1, -1, -1);
    __m256i bytes = _mm256_setzero_si256();
    for (unsigned value = 0; value < 9; value++)
        bytes =
            _mm256_mask_mov_epi8(bytes, words[lane_of(value)], _mm256_set1_epi8((char)(value + 1)));
    const __m256i early = _mm256_permute4x64_epi64(bytes, 0x44);
    const __m256i late = _mm256_permute4x64_epi64(bytes, 0xee);
    _mm256_mask_storeu_epi8(
        ret, 0x7ffffff,
        _mm256_or_si256(_mm256_shuffle_epi8(early, low), _mm256_shuffle_epi8(late, high)));
#else
    static const uint8_t offset[] = {0, 1, 2, 9, 10, 11, 18, 19, 20};
    for (unsigned value = 0; value < 9; value++) {
        const uint32_t word = words[lane_of(value)];
        for (unsigned box = 0; box < 3; box++)
            ret[3 * box + offset[lowest_bit(word >> 10 * box)]] = (uint8_t)(value + 1);
    }
#endif
}

INLINED void record(struct sudoku_search *search, const struct board *board)
{
    for (unsigned b = 0; b < BANDS && search->count < 2; b++) {
        alignas(64) uint32_t words[VECTOR_LANES];
        store(words, board->band[b]);
        write_cells(words, search->solution[search->count].cell + 27 * b);
    }
    search->count++;
}

#endif
