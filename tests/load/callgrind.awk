# Reads a callgrind profile and writes lines of tab-separated figures:
#   self   COUNT PART FUNCTION   instructions of the function alone
#   whole  COUNT PART FUNCTION   of it and all it calls; one that calls itself counts more than once
#   calls  COUNT PART CALLER     what PART took, called from the part CALLER
# A part is a library, or a folder of sudokud's source. Inlined code counts for the function that it
# is inlined in. The format is described in Valgrind's manual; names are given once, then by number.

function name_of(space, text,   number) {
    sub(/^[^=]*=/, "", text)
    number = text
    sub(/\).*/, ")", number)
    sub(/^\([0-9]+\) ?/, "", text)
    if (text != "")
        names[space, number] = text
    return names[space, number]
}

function part_of(object, file) {
    if (object !~ /sudokud$/) {
        sub(/.*\//, "", object)
        sub(/\.so.*/, "", object)
        return object == "" ? "unknown" : object
    }
    if (match(file, /src\/[a-z]+\//))
        return "sudokud " substr(file, RSTART, RLENGTH - 1)
    return "sudokud, no file"
}

/^ob=/ { object = name_of("ob", $0); next }
/^fl=/ { file = name_of("file", $0); next }
/^f[ie]=/ { name_of("file", $0); next }
/^fn=/ {
    fn = name_of("fn", $0)
    part = part_of(object, file)
    key = part "\t" fn
    callee_object = object
    next
}
/^cob=/ { callee_object = name_of("ob", $0); next }
/^cf[il]=/ { callee_file = name_of("file", $0); has_callee_file = 1; next }
/^cfn=/ { name_of("fn", $0); next }
/^calls=/ {
    getline
    whole[key] += $2
    callee = part_of(callee_object, has_callee_file ? callee_file : file)
    if (callee != part)
        calls[callee "\t" part] += $2
    callee_object = object
    has_callee_file = 0
    next
}
/^[-+*0-9]/ { self[key] += $2; whole[key] += $2 }

END {
    for (key in self) printf "self\t%.0f\t%s\n", self[key], key
    for (key in whole) printf "whole\t%.0f\t%s\n", whole[key], key
    for (key in calls) printf "calls\t%.0f\t%s\n", calls[key], key
}
