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
const PRERENDER_PROGRAM = `
export const renderShell = () => 'shell'
export async function renderPage(_site, path, initial) {
  if (path === '/slow') Atomics.wait(initial.signal, 0, 0)
  if (path === '/broken') throw new Error('broken component')
  if (path === '/exit') process.exit()
  return path
}`

const createDocumentSource = (documentContent: DocumentSource['content']): DocumentSource => ({
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
  content: documentContent,
})
let buildDir: string
let programFiles: [programFile: string, files: RenderThreadFiles]
let assembleDocument: AssembleDocument

/** Returns what `#root` contains in the document for an address, or in the shell. */
async function renderContent(pageAddress: string, pageData: object = {}, assembleContent = assembleDocument): Promise<string | undefined> {
  const { gzippedBody } = await assembleContent(
    createDocumentSource(pageAddress === 'shell' ? pageAddress : { address: pageAddress, data: pageData }),
  )
  const html = gunzipSync(gzippedBody).toString()
  return /<div id="root">(.*)<\/div>/.exec(html)?.[1]
}

beforeAll(async () => {
  buildDir = await mkdtemp(join(tmpdir(), 'varispeed-render-'))
  const [programFile, prerenderFile] = [join(buildDir, 'render.mjs'), join(buildDir, 'prerender.mjs')]
  programFiles = [programFile, { clientDir: buildDir, prerenderFile }]
  await build({
    entryPoints: [fileURLToPath(new URL('./render-program.ts', import.meta.url))],
    outfile: programFile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
  })
  await writeFile(prerenderFile, PRERENDER_PROGRAM)
  await writeFile(join(buildDir, 'index.html'), '<html><head><!--head--></head><body><div id="root"><!--page--></div></body></html>')
  assembleDocument = startRenderThread(...programFiles)
})
afterAll(() => rm(buildDir, { recursive: true, force: true }))

it('render thread: while a page is rendered, the server answers other requests; the shell is rendered after the page', async () => {
  const sharedSignal = new Int32Array(new SharedArrayBuffer(4))
  const renderedContents: unknown[] = []
  const slowPageRender = renderContent('/slow', { signal: sharedSignal }).then((content) => renderedContents.push(content))
  const shellRender = renderContent('shell').then((content) => renderedContents.push(content))
  const server = createServer((_request, response) => response.end('answered')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('answered')
  expect(renderedContents).toEqual([])
  Atomics.store(sharedSignal, 0, 1)
  Atomics.notify(sharedSignal, 0)
  await Promise.all([slowPageRender, shellRender])
  expect(renderedContents).toEqual(['/slow', 'shell'])
  server.close()
})

it('render thread: a page that cannot be rendered fails alone', async () => {
  const brokenRender = renderContent('/broken')
  const other = renderContent('/')
  await expect(brokenRender).rejects.toThrow('broken component')
  expect(await other).toBe('/')
})

it('render thread: after its end, waiting pages fail and the next one is rendered', async () => {
  await expect(renderContent('/exit')).rejects.toThrow('The render thread has ended.')
  expect(await renderContent('/')).toBe('/')
})

it('render thread: a page that takes too long fails, and later ones are rendered', async () => {
  const limitedThread = startRenderThread(...programFiles, 1500)
  const hung = renderContent('/slow', { signal: new Int32Array(new SharedArrayBuffer(4)) }, limitedThread)
  await expect(hung).rejects.toThrow('The render thread has ended.')
  // The limit includes the start of the next thread, which takes longer than the limit while the machine is busy.
  await expect.poll(() => renderContent('/', {}, limitedThread).catch(String), { timeout: 60_000 }).toBe('/')
})
