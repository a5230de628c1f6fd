import { basename } from 'node:path'
import type { Plugin } from 'vite'

/** What of a built file says which others it needs. */
export interface BuiltFile {
  type: 'chunk' | 'asset'
  fileName: string
  isEntry?: boolean
  facadeModuleId?: string | null
  imports?: readonly string[]
  dynamicImports?: readonly string[]
  code?: string
  source?: string | Uint8Array
  viteMetadata?: { importedCss: ReadonlySet<string> }
}

/** Programs of workers, and WebAssembly: no chunk lists those that it needs, but their names stand in it. */
const isNamedOnly = ({ type, fileName }: BuiltFile) => type === 'asset' && /\.(?:js|wasm)$/.test(fileName)

/**
 * The files that only some modules need: what can be reached from their chunks and, without these, not from the entry.
 * @param modules how the modules' names end that have chunks of their own
 * @throws where the build has no such chunk
 */
export function partsOnlyOf(modules: readonly string[], files: readonly BuiltFile[]): Set<string> {
  const byName = new Map(files.map((file) => [file.fileName, file]))
  const named = files.filter(isNamedOnly).map(({ fileName }) => fileName)
  const own = modules.map((name) => {
    const chunk = files.find(({ facadeModuleId }) => facadeModuleId?.endsWith(name))
    if (!chunk) throw new Error(`The build has no part for ${name}.`)
    return chunk.fileName
  })

  function neededBy(file: BuiltFile): string[] {
    const { imports = [], dynamicImports = [], viteMetadata, code, source } = file
    const text = code ?? (typeof source === 'string' ? source : new TextDecoder().decode(source))
    const mentioned = file.type === 'chunk' || isNamedOnly(file) ? named.filter((name) => text.includes(basename(name))) : []
    return [...imports, ...dynamicImports, ...(viteMetadata?.importedCss ?? []), ...mentioned]
  }
  function reach(from: readonly string[], except: readonly string[] = []): Set<string> {
    const reached = new Set<string>()
    const next = [...from]
    for (let name = next.pop(); name !== undefined; name = next.pop()) {
      const file = byName.get(name)
      if (!file || except.includes(name) || reached.has(name)) continue
      reached.add(name)
      next.push(...neededBy(file))
    }
    return reached
  }
  const others = reach(
    files.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName),
    own,
  )
  return new Set([...reach(own)].filter((name) => !others.has(name)))
}

/** Finds, with each build, what only `modules` need; `has` then tells of a file's path from the build's folder. */
export function laterParts(...modules: string[]): { plugin: Plugin; has: (path: string) => boolean } {
  let parts = new Set<string>()
  return {
    plugin: {
      name: 'varispeed:later-parts',
      apply: 'build',
      writeBundle(_, bundle) {
        parts = partsOnlyOf(modules, Object.values(bundle))
      },
    },
    has: (path) => parts.has(path),
  }
}
