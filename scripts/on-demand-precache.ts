import { basename } from 'node:path'
import type { Plugin } from 'vite'
import type { PagePath } from '../contract/pages.ts'
import { createRoutePattern } from './route-files.ts'

/** The pages whose chunks the service worker caches when they are first opened, not at installation. */
const onDemandPages: readonly PagePath[] = ['/account/maker']
/** Patterns of the modules that are too heavy for everyone's first visit: those of `onDemandPages`, and whatever is loaded by `import()` from the engine. */
export const onDemandPatterns = [...onDemandPages.map((path) => createRoutePattern(path)), /\/client\/engine\//]

/** The fields of a built file that name the other files it needs. */
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

/** Finds worker scripts and WebAssembly by their names in the code of a chunk, because no chunk lists them among its imports. */
const isReferencedByName = ({ type, fileName }: BuiltFile) => type === 'asset' && /\.(?:js|wasm)$/.test(fileName)

/**
 * Returns the files that only on-demand modules need: those reachable from their chunks, but not from the entry without passing through
 * these chunks.
 * @throws when one of `patterns` matches no chunk
 */
export function listOnDemandFiles(patterns: readonly RegExp[], files: readonly BuiltFile[]): Set<string> {
  const fileByName = new Map(files.map((file) => [file.fileName, file]))
  const referencedNames = files.filter(isReferencedByName).map(({ fileName }) => fileName)
  const patternChunks = patterns.flatMap((chunkPattern) => {
    const chunks = files.filter(({ facadeModuleId }) => facadeModuleId && chunkPattern.test(facadeModuleId))
    if (chunks.length === 0) throw new Error(`on-demand precache: no chunk of the build matches ${chunkPattern}`)
    return chunks.map(({ fileName }) => fileName)
  })

  function listNeededFiles(file: BuiltFile): string[] {
    const { imports = [], dynamicImports = [], viteMetadata, code, source } = file
    const sourceText = code ?? (typeof source === 'string' ? source : new TextDecoder().decode(source))
    const mentionedFiles =
      file.type === 'chunk' || isReferencedByName(file) ? referencedNames.filter((name) => sourceText.includes(basename(name))) : []
    return [...imports, ...dynamicImports, ...(viteMetadata?.importedCss ?? []), ...mentionedFiles]
  }
  function listReachableFrom(startFiles: readonly string[], excludedFiles: readonly string[] = []): Set<string> {
    const reachedFiles = new Set<string>()
    const pendingFiles = [...startFiles]
    for (let fileName = pendingFiles.pop(); fileName !== undefined; fileName = pendingFiles.pop()) {
      const builtFile = fileByName.get(fileName)
      if (!builtFile || excludedFiles.includes(fileName) || reachedFiles.has(fileName)) continue
      reachedFiles.add(fileName)
      pendingFiles.push(...listNeededFiles(builtFile))
    }
    return reachedFiles
  }
  const entryFiles = files.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName)
  const otherFiles = listReachableFrom(entryFiles, patternChunks)
  return new Set([...listReachableFrom(patternChunks)].filter((name) => !otherFiles.has(name)))
}

/** Finds the on-demand files of each build. `has` takes a path relative to the build's folder. */
export function trackOnDemandFiles(patterns: readonly RegExp[]): { plugin: Plugin; has: (path: string) => boolean } {
  let foundFiles = new Set<string>()
  return {
    plugin: {
      name: 'varispeed:on-demand-precache',
      apply: 'build',
      writeBundle(_, bundle) {
        foundFiles = listOnDemandFiles(patterns, Object.values(bundle))
      },
    },
    has: (path) => foundFiles.has(path),
  }
}
