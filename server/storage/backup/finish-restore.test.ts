import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { finishRestore, prepareFiles } from './finish-restore.ts'

const fileNames = ['a', 'b', 'c']
let dataDir = ''
const { renameSync } = fs
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'varispeed-restore-'))
  for (const [dir, fileText] of [
    ['', 'old'],
    ['prepared', 'new'],
  ] as const) {
    mkdirSync(join(dataDir, dir, 'c'), { recursive: true })
    for (const name of ['a', 'b', 'c/d']) writeFileSync(join(dataDir, dir, name), fileText)
  }
})
afterEach(() => {
  replaceRenameSync(renameSync)
  rmSync(dataDir, { recursive: true, force: true })
})

function replaceRenameSync(renameFile: typeof renameSync): void {
  fs.renameSync = renameFile
  syncBuiltinESMExports()
}

const readAllFiles = (dir = '') => ['a', 'b', 'c/d'].map((name) => readFileSync(join(dataDir, dir, name), 'utf8'))
async function replaceData(): Promise<void> {
  prepareFiles(dataDir, join(dataDir, 'prepared'), { replacedDir: 'before', replacedNames: fileNames })
  await finishRestore(dataDir, undefined)
}

test('a restore that is interrupted at any of its steps has replaced nothing, or is completed at the next start of the program', async () => {
  let interruptedCount = 0
  for (let allowedRenameCount = 0; ; allowedRenameCount++) {
    let renameCount = 0
    replaceRenameSync((oldPath, newPath) => {
      if (renameCount++ === allowedRenameCount) throw new Error('killed')
      renameSync(oldPath, newPath)
    })
    try {
      await replaceData()
      break
    } catch (error) {
      expect(error).toMatchObject({ message: 'killed' })
      interruptedCount++
    }
    replaceRenameSync(renameSync)
    await finishRestore(dataDir, undefined)
    expect(readAllFiles(), `after ${allowedRenameCount} steps`).toEqual(Array(3).fill(allowedRenameCount === 0 ? 'old' : 'new'))
    if (allowedRenameCount > 0) {
      expect(readAllFiles('before')).toEqual(Array(3).fill('old'))
      expect(readdirSync(dataDir).sort()).toEqual(['a', 'b', 'before', 'c'])
      // Moves the files back to where they were before the restore.
      mkdirSync(join(dataDir, 'prepared'))
      for (const name of fileNames) {
        renameSync(join(dataDir, name), join(dataDir, 'prepared', name))
        renameSync(join(dataDir, 'before', name), join(dataDir, name))
      }
      rmSync(join(dataDir, 'before'), { recursive: true })
    }
  }
  // Eight renames: the folder to its first name, three files out, the folder to its second name, and three files in.
  expect(interruptedCount).toBe(8)
  expect(readAllFiles()).toEqual(Array(3).fill('new'))
})

test('without an interrupted restore nothing is changed', async () => {
  await finishRestore(dataDir, undefined)
  expect(readAllFiles()).toEqual(Array(3).fill('old'))
  await finishRestore(join(dataDir, 'none'), undefined)
  expect(existsSync(join(dataDir, 'none'))).toBe(false)
})
