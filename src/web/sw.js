// Keeps the page for when there is no network. With one, the server's copy always comes first.
const files = ['/', '/style.css', '/app.js', '/board.js', '/grid.js', '/service.js', '/local.js', '/bulk.js',
  '/words.js', '/icon.svg'];

self.addEventListener('install', event => {
  self.skipWaiting();
  event.waitUntil(caches.open('page').then(cache => cache.addAll(files)));
});
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', event => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.method !== 'GET' || !files.includes(path))
    return;
  event.respondWith(fetch(request).then(async reply => {
    if (!reply.ok)
      return await caches.match(path) ?? reply;
    await (await caches.open('page')).put(path, reply.clone());
    return reply;
  }, () => caches.match(path)));
});
