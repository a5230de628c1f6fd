import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cspHash } from '../http/security.ts'

/** One entry of the manifest that the client's build writes (https://vite.dev/guide/backend-integration). */
interface Chunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  css?: string[]
}

/** What an address needs beside its HTML, all in the order of the build. */
export interface PageParts {
  /** URLs of the program's files, to be fetched while the HTML is read. */
  modules: string[]
  /** URLs of the style sheets whose text is `css`. */
  styleSheets: string[]
  /** Every rule that the first paint needs: it waits for no style sheet. */
  css: string
  cspSource: string
}

/** What the entry starts in steps. */
const START = 'main.tsx'
const LANDING = 'app/host-landing.tsx'

const routeKeys = (path: string): string[] => {
  const name = path === '/' ? 'index' : path.slice(1)
  return [name.replaceAll('/', '.'), name, `${name}.index`].map((each) => `routes/${each}.tsx?tsr-split=component`)
}

/** Tells which files of the built client an address needs. Without a manifest there are none to tell of. */
export function readChunks(clientDir: string) {
  const manifestFile = join(clientDir, '.vite/manifest.json')
  // Written by the build that made the files beside it.
  const chunks: Record<string, Chunk> = existsSync(manifestFile) ? JSON.parse(readFileSync(manifestFile, 'utf8')) : {}
  const entry = Object.keys(chunks).find((key) => chunks[key]?.isEntry)
  const known = new Map<string, PageParts>()

  function collect(key: string, modules: Set<string>, styleSheets: Set<string>): void {
    const chunk = chunks[key]
    if (chunk === undefined || modules.has(`/${chunk.file}`)) return
    modules.add(`/${chunk.file}`)
    for (const each of chunk.imports ?? []) collect(each, modules, styleSheets)
    for (const each of chunk.css ?? []) styleSheets.add(`/${each}`)
  }

  function make(keys: string[]): PageParts {
    const modules = new Set<string>()
    const styleSheets = new Set<string>()
    for (const key of keys) collect(key, modules, styleSheets)
    const css = [...styleSheets].map((url) => readFileSync(join(clientDir, url), 'utf8').trim()).join('')
    return { modules: [...modules], styleSheets: [...styleSheets], css, cspSource: cspHash(css) }
  }

  const partsWith = (key: string | undefined): PageParts => {
    const found = known.get(key ?? '')
    if (found !== undefined) return found
    const parts = make([entry, START, key].filter((each) => each !== undefined))
    known.set(key ?? '', parts)
    return parts
  }

  return {
    /** For a `path` of a main host, without a slash at its end; of an unknown one the parts that every page has. */
    partsOf: (path: string): PageParts => partsWith(routeKeys(path).find((key) => Object.hasOwn(chunks, key))),
    /** For the one page of a radio's or subscriber's host. */
    landing: (): PageParts => partsWith(LANDING),
  }
}
export type Chunks = ReturnType<typeof readChunks>
