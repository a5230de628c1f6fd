import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parse } from '@swc/core'

const sourceFolders = ['client', 'server', 'contract', 'brands', 'dsp', 'sw', 'e2e', 'bench', 'scripts', 'testing']
const codeFilePattern = /(?<!\.d)\.tsx?$/

/**
 * Copies the folders of `rootFolder` into a temporary folder, with only the imports of every TypeScript file, because dependency-cruiser cannot
 * parse TypeScript 7 and its swc parser cannot parse TSX.
 *
 * @param {string} rootFolder
 * @param {{ types: boolean }} options whether imports of types are included
 * @returns {Promise<{ directory: string, sources: string[] }>} paths relative to `rootFolder`
 */
export async function writeSkeleton(rootFolder, { types: includesTypes }) {
  const skeletonFolder = await mkdtemp(join(tmpdir(), 'boundaries-'))
  /** @type {string[]} */
  const skeletonFiles = []
  for (const sourceFolder of sourceFolders) {
    const folderEntries = await readdir(join(rootFolder, sourceFolder), { recursive: true, withFileTypes: true }).catch(() => [])
    for (const folderEntry of folderEntries) {
      if (!folderEntry.isFile()) continue
      const filePath = join(folderEntry.parentPath, folderEntry.name).slice(resolve(rootFolder).length + 1)
      await mkdir(join(skeletonFolder, dirname(filePath)), { recursive: true })
      if (codeFilePattern.test(filePath)) skeletonFiles.push(filePath)
      await writeFile(
        join(skeletonFolder, filePath),
        codeFilePattern.test(filePath) ? await listImports(join(rootFolder, filePath), includesTypes) : '',
      )
    }
  }
  for (const entry of await readdir(rootFolder, { withFileTypes: true }))
    if (entry.isFile()) await writeFile(join(skeletonFolder, entry.name), '')
  await writeFile(join(skeletonFolder, 'package.json'), await readFile(join(rootFolder, 'package.json')))
  await symlink(resolve(rootFolder, 'node_modules'), join(skeletonFolder, 'node_modules'))
  return { directory: skeletonFolder, sources: skeletonFiles }
}

/**
 * @param {string} filePath
 * @param {boolean} includesTypes
 */
async function listImports(filePath, includesTypes) {
  /** @type {Set<string>} */
  const importSpecifiers = new Set()
  const tree = await parse(await readFile(filePath, 'utf8'), { syntax: 'typescript', tsx: filePath.endsWith('x'), target: 'es2022' })
  collectImports(tree, includesTypes, importSpecifiers)
  return [...importSpecifiers].map((specifier) => `import ${JSON.stringify(specifier)}\n`).join('')
}

/**
 * @param {unknown} syntaxNode
 * @param {boolean} includesTypes
 * @param {Set<string>} foundImports
 */
function collectImports(syntaxNode, includesTypes, foundImports) {
  if (Array.isArray(syntaxNode)) for (const each of syntaxNode) collectImports(each, includesTypes, foundImports)
  if (typeof syntaxNode !== 'object' || syntaxNode === null || !('type' in syntaxNode)) {
    // Visits the children of values that are no nodes themselves, such as wrappers of arguments or properties.
    if (typeof syntaxNode === 'object' && syntaxNode !== null && !Array.isArray(syntaxNode))
      for (const value of Object.values(syntaxNode)) collectImports(value, includesTypes, foundImports)
    return
  }
  const { source, typeOnly, argument, callee, arguments: callArguments } = /** @type {Record<string, any>} */ (syntaxNode)
  const isImportKept = includesTypes || typeOnly !== true
  if (/^(Import|Export).*Declaration$/.test(String(syntaxNode.type)) && source && isImportKept) foundImports.add(source.value)
  if (syntaxNode.type === 'TsImportType' && includesTypes) foundImports.add(argument.value)
  if (callee?.type === 'Import' && callArguments[0]?.expression.type === 'StringLiteral')
    foundImports.add(callArguments[0].expression.value)
  for (const value of Object.values(syntaxNode))
    if (typeof value === 'object' && value !== null) collectImports(value, includesTypes, foundImports)
}
