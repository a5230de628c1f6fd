import { createServer } from 'node:http'

const PAGE = '<!doctype html><title>Bare</title><h1>Bare</h1><script>navigator.serviceWorker.register("/sw.js")</script>'
const WORKER = `
addEventListener('install', (event) => event.waitUntil(caches.open('bare').then((cache) => cache.add('/'))))
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => { if (event.request.mode === 'navigate') event.respondWith(caches.match('/')) })
`

/** One heading, answered by a worker of three lines: the least that this browser on this machine needs for any page. */
export async function startBarePage(): Promise<{ url: string; stop: () => void }> {
  const server = createServer((request, response) => {
    const isWorker = request.url === '/sw.js'
    response.setHeader('content-type', isWorker ? 'text/javascript' : 'text/html').end(isWorker ? WORKER : PAGE)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://localhost:${port}/`, stop: () => server.close() }
}
