import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PrerenderFunctions } from '../../contract/initial-data.ts'
import { startRenderThread } from './render-thread.ts'

/** Replaces the built prerender module. Of three addresses, one blocks its thread until the test continues, one fails, and one ends the thread. */
const PRERENDER = `
export const renderShell = (site) => site.brand + ' shell'
export async function renderPage(site, path, initial) {
  if (path === '/slow') Atomics.wait(initial.signal, 0, 0)
  if (path === '/broken') throw new Error('broken component')
  if (path === '/exit') process.exit()
  return site.brand + ' ' + path
}`

// The render functions below read the brand only.
const site = { brand: 'nightcore' } as Parameters<PrerenderFunctions['renderPage']>[0]
let dir: string
let programFiles: [programFile: string, prerenderFile: string]
let thread: PrerenderFunctions

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'varispeed-render-'))
  programFiles = [join(dir, 'render.mjs'), join(dir, 'prerender.mjs')]
  const [programFile, prerenderFile] = programFiles
  await build({
    entryPoints: [fileURLToPath(new URL('./render-program.ts', import.meta.url))],
    outfile: programFile,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
  })
  await writeFile(prerenderFile, PRERENDER)
  thread = startRenderThread(programFile, prerenderFile)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

it('render thread: while a page is rendered, the server answers other requests; the shell is rendered after the page', async () => {
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const rendered: string[] = []
  const page = thread.renderPage(site, '/slow', { signal } as object).then((markup) => rendered.push(markup))
  const shell = Promise.resolve(thread.renderShell(site)).then((markup) => rendered.push(markup))
  const server = createServer((_request, response) => response.end('answered')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('answered')
  expect(rendered).toEqual([])
  Atomics.store(signal, 0, 1)
  Atomics.notify(signal, 0)
  await Promise.all([page, shell])
  expect(rendered).toEqual(['nightcore /slow', 'nightcore shell'])
  server.close()
})

it('render thread: a page that cannot be rendered fails alone', async () => {
  const broken = thread.renderPage(site, '/broken', {})
  const other = thread.renderPage(site, '/', {})
  await expect(broken).rejects.toThrow('broken component')
  expect(await other).toBe('nightcore /')
})

it('render thread: after its end, waiting pages fail and the next one is rendered', async () => {
  await expect(thread.renderPage(site, '/exit', {})).rejects.toThrow('The render thread has ended.')
  expect(await thread.renderPage(site, '/', {})).toBe('nightcore /')
})

it('render thread: a page that takes too long fails, and later ones are rendered', async () => {
  const limited = startRenderThread(...programFiles, 1500)
  const hung = limited.renderPage(site, '/slow', { signal: new Int32Array(new SharedArrayBuffer(4)) } as object)
  await expect(hung).rejects.toThrow('The render thread has ended.')
  expect(await limited.renderPage(site, '/', {})).toBe('nightcore /')
})
