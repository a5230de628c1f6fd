import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './node-version.mjs'

/** Folders with generated files or packages. */
const ignoredFolders = /^(node_modules|dist|data|coverage|test-results|playwright-report|shots|\.git|\.vite)$/

/** Returns the paths of all files of the product below `folder`, from the root of the checkout. @param {string} folder @returns {string[]} */
export function sourceFiles(folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (folder === '' && ignoredFolders.test(entry.name)) return []
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    return entry.isDirectory() ? sourceFiles(path) : [path]
  })
}
