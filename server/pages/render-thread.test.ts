import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AssembleDocument, DocumentSource } from './assemble-document.ts'
import { type RenderThreadFiles, startRenderThread } from './render-thread.ts'

/** Replaces the built prerender module. Of three addresses, one blocks its thread until the test continues, one fails, and one ends the thread. */
const PRERENDER = `
export const renderShell = () => 'shell'
export async function renderPage(_site, path, initial) {
  if (path === '/slow') Atomics.wait(initial.signal, 0, 0)
  if (path === '/broken') throw new Error('broken component')
  if (path === '/exit') process.exit()
  return path
}`

const sourceOf = (content: DocumentSource['content']): DocumentSource => ({
  head: {
    status: 200,
    title: 'A title',
    description: '',
    heading: 'A heading',
    image: '',
    ogType: 'website',
    jsonLd: [],
    indexable: true,
    // The document does not contain the rows, because a signal cannot be written as JSON.
    hasDeviceRows: true,
  },
  // The document contains these properties of the site.
  site: { brand: 'nightcore-meridian', host_class: 'main', settings: { NAME: 'Night' } } as DocumentSource['site'],
  origin: 'https://site.example',
  assetsPath: '/',
  content,
})
let dir: string
let programFiles: [programFile: string, files: RenderThreadFiles]
let assembleDocument: AssembleDocument

/** Returns what `#root` contains in the document for an address, or in the shell. */
async function contentOf(address: string, data: object = {}, assemble = assembleDocument): Promise<string | undefined> {
  const { gzippedBody } = await assemble(sourceOf(address === 'shell' ? address : { address, data }))
  const html = gunzipSync(gzippedBody).toString()
  return /<div id="root">(.*)<\/div>/.exec(html)?.[1]
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'varispeed-render-'))
  const [programFile, prerenderFile] = [join(dir, 'render.mjs'), join(dir, 'prerender.mjs')]
  programFiles = [programFile, { clientDir: dir, prerenderFile }]
  await build({
    entryPoints: [fileURLToPath(new URL('./render-program.ts', import.meta.url))],
    outfile: programFile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
  })
  await writeFile(prerenderFile, PRERENDER)
  await writeFile(join(dir, 'index.html'), '<html><head><!--head--></head><body><div id="root"><!--page--></div></body></html>')
  assembleDocument = startRenderThread(...programFiles)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

it('render thread: while a page is rendered, the server answers other requests; the shell is rendered after the page', async () => {
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const rendered: unknown[] = []
  const page = contentOf('/slow', { signal }).then((content) => rendered.push(content))
  const shell = contentOf('shell').then((content) => rendered.push(content))
  const server = createServer((_request, response) => response.end('answered')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('answered')
  expect(rendered).toEqual([])
  Atomics.store(signal, 0, 1)
  Atomics.notify(signal, 0)
  await Promise.all([page, shell])
  expect(rendered).toEqual(['/slow', 'shell'])
  server.close()
})

it('render thread: a page that cannot be rendered fails alone', async () => {
  const broken = contentOf('/broken')
  const other = contentOf('/')
  await expect(broken).rejects.toThrow('broken component')
  expect(await other).toBe('/')
})

it('render thread: after its end, waiting pages fail and the next one is rendered', async () => {
  await expect(contentOf('/exit')).rejects.toThrow('The render thread has ended.')
  expect(await contentOf('/')).toBe('/')
})

it('render thread: a page that takes too long fails, and later ones are rendered', async () => {
  const limited = startRenderThread(...programFiles, 1500)
  const hung = contentOf('/slow', { signal: new Int32Array(new SharedArrayBuffer(4)) }, limited)
  await expect(hung).rejects.toThrow('The render thread has ended.')
  expect(await contentOf('/', {}, limited)).toBe('/')
})
