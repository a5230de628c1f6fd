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
 * The files that only the page of `route` needs: what can be reached from its chunk and, without it, not from the entry.
 * @throws where the build has no such chunk
 */
export function partsOnlyOf(route: string, files: readonly BuiltFile[]): Set<string> {
  const byName = new Map(files.map((file) => [file.fileName, file]))
  const named = files.filter(isNamedOnly).map(({ fileName }) => fileName)
  const chunk = files.find(({ facadeModuleId }) => facadeModuleId?.includes(`/routes/${route}.tsx?tsr-split=component`))
  if (!chunk) throw new Error(`The build has no part for the component of ${route}.`)

  function neededBy(file: BuiltFile): string[] {
    const { imports = [], dynamicImports = [], viteMetadata, code, source } = file
    const text = code ?? (typeof source === 'string' ? source : new TextDecoder().decode(source))
    const mentioned = file.type === 'chunk' || isNamedOnly(file) ? named.filter((name) => text.includes(basename(name))) : []
    return [...imports, ...dynamicImports, ...(viteMetadata?.importedCss ?? []), ...mentioned]
  }
  function reach(from: readonly string[], except?: string): Set<string> {
    const reached = new Set<string>()
    const next = [...from]
    for (let name = next.pop(); name !== undefined; name = next.pop()) {
      const file = byName.get(name)
      if (!file || name === except || reached.has(name)) continue
      reached.add(name)
      next.push(...neededBy(file))
    }
    return reached
  }
  const others = reach(
    files.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName),
    chunk.fileName,
  )
  return new Set([...reach([chunk.fileName])].filter((name) => !others.has(name)))
}

/** Finds, with each build, what only `route` needs; `has` then tells of a file's path from the build's folder. */
export function laterParts(route: string): { plugin: Plugin; has: (path: string) => boolean } {
  let parts = new Set<string>()
  return {
    plugin: {
      name: 'varispeed:later-parts',
      apply: 'build',
      writeBundle(_, bundle) {
        parts = partsOnlyOf(route, Object.values(bundle))
      },
    },
    has: (path) => parts.has(path),
  }
}
