import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parse } from '@swc/core'

const folders = ['client', 'server', 'contract', 'brands', 'dsp', 'sw', 'e2e', 'bench', 'scripts', 'testing']
const codeFilePattern = /(?<!\.d)\.tsx?$/

/**
 * Copies the folders of `root` into a temporary folder, with only the imports of every TypeScript file, because dependency-cruiser cannot
 * parse TypeScript 7 and its swc parser cannot parse TSX.
 *
 * @param {string} root
 * @param {{ types: boolean }} options whether imports of types are included
 * @returns {Promise<{ directory: string, sources: string[] }>} paths relative to `root`
 */
export async function writeSkeleton(root, { types: includesTypes }) {
  const directory = await mkdtemp(join(tmpdir(), 'boundaries-'))
  /** @type {string[]} */
  const sources = []
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (!entry.isFile()) continue
      const filePath = join(entry.parentPath, entry.name).slice(resolve(root).length + 1)
      await mkdir(join(directory, dirname(filePath)), { recursive: true })
      if (codeFilePattern.test(filePath)) sources.push(filePath)
      await writeFile(join(directory, filePath), codeFilePattern.test(filePath) ? await importsOf(join(root, filePath), includesTypes) : '')
    }
  }
  for (const entry of await readdir(root, { withFileTypes: true })) if (entry.isFile()) await writeFile(join(directory, entry.name), '')
  await writeFile(join(directory, 'package.json'), await readFile(join(root, 'package.json')))
  await symlink(resolve(root, 'node_modules'), join(directory, 'node_modules'))
  return { directory, sources }
}

/**
 * @param {string} filePath
 * @param {boolean} includesTypes
 */
async function importsOf(filePath, includesTypes) {
  /** @type {Set<string>} */
  const specifiers = new Set()
  const tree = await parse(await readFile(filePath, 'utf8'), { syntax: 'typescript', tsx: filePath.endsWith('x'), target: 'es2022' })
  collectImports(tree, includesTypes, specifiers)
  return [...specifiers].map((specifier) => `import ${JSON.stringify(specifier)}\n`).join('')
}

/**
 * @param {unknown} node
 * @param {boolean} includesTypes
 * @param {Set<string>} foundImports
 */
function collectImports(node, includesTypes, foundImports) {
  if (Array.isArray(node)) for (const each of node) collectImports(each, includesTypes, foundImports)
  if (typeof node !== 'object' || node === null || !('type' in node)) {
    // Visits the children of values that are no nodes themselves, such as wrappers of arguments or properties.
    if (typeof node === 'object' && node !== null && !Array.isArray(node))
      for (const value of Object.values(node)) collectImports(value, includesTypes, foundImports)
    return
  }
  const { source, typeOnly, argument, callee, arguments: callArguments } = /** @type {Record<string, any>} */ (node)
  const isKept = includesTypes || typeOnly !== true
  if (/^(Import|Export).*Declaration$/.test(String(node.type)) && source && isKept) foundImports.add(source.value)
  if (node.type === 'TsImportType' && includesTypes) foundImports.add(argument.value)
  if (callee?.type === 'Import' && callArguments[0]?.expression.type === 'StringLiteral')
    foundImports.add(callArguments[0].expression.value)
  for (const value of Object.values(node))
    if (typeof value === 'object' && value !== null) collectImports(value, includesTypes, foundImports)
}
