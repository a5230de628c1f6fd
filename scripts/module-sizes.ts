import type { Plugin } from 'vite'

/** Writes `.vite/modules.json` beside the manifest: for each chunk its modules, with the length of their code before minification. */
export function createModuleSizes(): Plugin {
  return {
    name: 'varispeed:module-sizes',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunkModules = Object.values(bundle).flatMap((outputFile) => {
        if (outputFile.type !== 'chunk') return []
        const modules = Object.entries(outputFile.modules).map(([id, { renderedLength }]) => [toModuleName(id), renderedLength] as const)
        return [[outputFile.fileName, Object.fromEntries(modules)] as const]
      })
      this.emitFile({ type: 'asset', fileName: '.vite/modules.json', source: JSON.stringify(Object.fromEntries(chunkModules)) })
    },
  }
}

/** Returns a module's path below the project, or below `node_modules`. */
function toModuleName(moduleId: string): string {
  const inPackages = moduleId.lastIndexOf('/node_modules/')
  return inPackages >= 0 ? moduleId.slice(inPackages + 1) : moduleId.replace(process.cwd(), '').replace(/^[\0/]+/, '')
}
