import { createServer } from 'node:http'

const PAGE_HTML = '<!doctype html><title>Bare</title><h1>Bare</h1><script>navigator.serviceWorker.register("/sw.js")</script>'
const WORKER_SCRIPT = `
addEventListener('install', (event) => event.waitUntil(caches.open('bare').then((cache) => cache.add('/'))))
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => { if (event.request.mode === 'navigate') event.respondWith(caches.match('/')) })
`

/**
 * Serves a page that has one heading and a minimal service worker. Its load time is the minimum for any page in this browser on this
 * machine.
 */
export async function startBarePage(): Promise<{ url: string; stop: () => void }> {
  const server = createServer((request, response) => {
    const isWorker = request.url === '/sw.js'
    response.setHeader('content-type', isWorker ? 'text/javascript' : 'text/html').end(isWorker ? WORKER_SCRIPT : PAGE_HTML)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://localhost:${port}/`, stop: () => server.close() }
}
