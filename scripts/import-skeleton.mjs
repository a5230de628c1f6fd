import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseFile, visitNodes } from './syntax-tree.mjs'

const sourceFolders = ['client', 'server', 'contract', 'brands', 'dsp', 'sw', 'e2e', 'bench', 'scripts', 'testing']
const codeFilePattern = /(?<!\.d)\.tsx?$/
const importNodePattern = /^(?:Import|ExportNamed|ExportAll)Declaration$|^ImportExpression$|^TSImportType$/

/**
 * Copies the folders of `rootFolder` into a temporary folder, with only the imports of every TypeScript file, because dependency-cruiser cannot
 * parse TypeScript 7 and its swc parser cannot parse TSX. The imports include those of types until `removeTypeImports` is called.
 *
 * @param {string} rootFolder
 * @returns {Promise<{ directory: string, sources: string[], removeTypeImports: () => Promise<void> }>} `sources` are paths relative to `rootFolder`
 */
export async function writeSkeleton(rootFolder) {
  const skeletonFolder = await mkdtemp(join(tmpdir(), 'boundaries-'))
  /** @type {string[]} */
  const skeletonFiles = []
  /** The run-time imports of the files that import types, too. @type {Map<string, string>} */
  const runtimeImportsByPath = new Map()
  for (const sourceFolder of sourceFolders) {
    const folderEntries = await readdir(join(rootFolder, sourceFolder), { recursive: true, withFileTypes: true }).catch(() => [])
    for (const folderEntry of folderEntries) {
      if (!folderEntry.isFile()) continue
      const filePath = join(folderEntry.parentPath, folderEntry.name).slice(resolve(rootFolder).length + 1)
      await mkdir(join(skeletonFolder, dirname(filePath)), { recursive: true })
      if (!codeFilePattern.test(filePath)) {
        await writeFile(join(skeletonFolder, filePath), '')
        continue
      }
      skeletonFiles.push(filePath)
      const { allImports, runtimeImports } = await listImports(rootFolder, filePath)
      await writeFile(join(skeletonFolder, filePath), allImports)
      if (runtimeImports !== allImports) runtimeImportsByPath.set(filePath, runtimeImports)
    }
  }
  for (const entry of await readdir(rootFolder, { withFileTypes: true }))
    if (entry.isFile()) await writeFile(join(skeletonFolder, entry.name), '')
  await writeFile(join(skeletonFolder, 'package.json'), await readFile(join(rootFolder, 'package.json')))
  await symlink(resolve(rootFolder, 'node_modules'), join(skeletonFolder, 'node_modules'))
  return {
    directory: skeletonFolder,
    sources: skeletonFiles,
    async removeTypeImports() {
      for (const [filePath, runtimeImports] of runtimeImportsByPath) await writeFile(join(skeletonFolder, filePath), runtimeImports)
    },
  }
}

/**
 * Returns the import statements of a file: all of them, and those that remain at run time.
 *
 * @param {string} rootFolder
 * @param {string} filePath
 */
async function listImports(rootFolder, filePath) {
  const { program } = parseFile(filePath, await readFile(join(rootFolder, filePath), 'utf8'))
  /** @type {Set<string>} */
  const allSpecifiers = new Set()
  /** @type {Set<string>} */
  const runtimeSpecifiers = new Set()
  visitNodes(program, ({ type, source, importKind, exportKind }) => {
    if (!importNodePattern.test(type) || typeof source?.value !== 'string') return
    allSpecifiers.add(source.value)
    if (type !== 'TSImportType' && importKind !== 'type' && exportKind !== 'type') runtimeSpecifiers.add(source.value)
  })
  return { allImports: formatImports(allSpecifiers), runtimeImports: formatImports(runtimeSpecifiers) }
}

/** @param {Set<string>} specifiers */
const formatImports = (specifiers) => [...specifiers].map((specifier) => `import ${JSON.stringify(specifier)}\n`).join('')
