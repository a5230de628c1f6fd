import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parse } from '@swc/core'

const folders = ['client', 'server', 'contract', 'brands', 'dsp', 'sw', 'e2e', 'bench', 'scripts']
const code = /(?<!\.d)\.tsx?$/

/**
 * Writes a tree like that of `root` into a temporary folder in which every TypeScript file is nothing but its imports.
 * dependency-cruiser cannot read TypeScript 7, and its swc parser cannot read TSX; imports alone it reads in any file.
 *
 * @param {string} root
 * @param {{ types: boolean }} options whether imports of types are kept
 * @returns {Promise<{ directory: string, sources: string[] }>} paths relative to `root`
 */
export async function writeSkeleton(root, { types }) {
  const directory = await mkdtemp(join(tmpdir(), 'boundaries-'))
  /** @type {string[]} */
  const sources = []
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name).slice(resolve(root).length + 1)
      await mkdir(join(directory, dirname(path)), { recursive: true })
      if (code.test(path)) sources.push(path)
      await writeFile(join(directory, path), code.test(path) ? await importsOf(join(root, path), types) : '')
    }
  }
  for (const entry of await readdir(root, { withFileTypes: true })) if (entry.isFile()) await writeFile(join(directory, entry.name), '')
  await writeFile(join(directory, 'package.json'), await readFile(join(root, 'package.json')))
  await symlink(resolve(root, 'node_modules'), join(directory, 'node_modules'))
  return { directory, sources }
}

/**
 * @param {string} path
 * @param {boolean} types
 */
async function importsOf(path, types) {
  /** @type {Set<string>} */
  const specifiers = new Set()
  const tree = await parse(await readFile(path, 'utf8'), { syntax: 'typescript', tsx: path.endsWith('x'), target: 'es2022' })
  collect(tree, types, specifiers)
  return [...specifiers].map((specifier) => `import ${JSON.stringify(specifier)}\n`).join('')
}

/**
 * @param {unknown} node
 * @param {boolean} types
 * @param {Set<string>} found
 */
function collect(node, types, found) {
  if (Array.isArray(node)) for (const each of node) collect(each, types, found)
  if (typeof node !== 'object' || node === null || !('type' in node)) {
    // An argument or a property holder: no node itself, but nodes stand in it.
    if (typeof node === 'object' && node !== null && !Array.isArray(node))
      for (const value of Object.values(node)) collect(value, types, found)
    return
  }
  const { source, typeOnly, argument, callee, arguments: given } = /** @type {Record<string, any>} */ (node)
  const keep = types || typeOnly !== true
  if (/^(Import|Export).*Declaration$/.test(String(node.type)) && source && keep) found.add(source.value)
  if (node.type === 'TsImportType' && types) found.add(argument.value)
  if (callee?.type === 'Import' && given[0]?.expression.type === 'StringLiteral') found.add(given[0].expression.value)
  for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) collect(value, types, found)
}
