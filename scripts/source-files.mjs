import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './node-version.mjs'

/** Folders with generated files or packages. */
const ignoredFolders = /^(node_modules|dist|data|coverage|test-results|playwright-report|shots|\.git|\.vite)$/

/** Returns the paths of all files of the product below `folderPath`, from the root of the checkout. @param {string} folderPath @returns {string[]} */
export function listSourceFiles(folderPath = '') {
  return readdirSync(join(root, folderPath), { withFileTypes: true }).flatMap((directoryEntry) => {
    if (folderPath === '' && ignoredFolders.test(directoryEntry.name)) return []
    const path = folderPath === '' ? directoryEntry.name : `${folderPath}/${directoryEntry.name}`
    return directoryEntry.isDirectory() ? listSourceFiles(path) : [path]
  })
}
