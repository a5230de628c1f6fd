import type { Plugin } from 'vite'

/** Writes `.vite/modules.json` beside the manifest: for each chunk its modules, with the length of their code before minification. */
export function moduleSizes(): Plugin {
  return {
    name: 'varispeed:module-sizes',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).flatMap((file) => {
        if (file.type !== 'chunk') return []
        const modules = Object.entries(file.modules).map(([id, { renderedLength }]) => [moduleNameOf(id), renderedLength] as const)
        return [[file.fileName, Object.fromEntries(modules)] as const]
      })
      this.emitFile({ type: 'asset', fileName: '.vite/modules.json', source: JSON.stringify(Object.fromEntries(chunks)) })
    },
  }
}

/** Returns a module's path below the project, or below `node_modules`. */
function moduleNameOf(id: string): string {
  const inPackages = id.lastIndexOf('/node_modules/')
  return inPackages >= 0 ? id.slice(inPackages + 1) : id.replace(process.cwd(), '').replace(/^[\0/]+/, '')
}
