import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from './node-version.mjs'

let optFolder: string
beforeEach(() => {
  optFolder = mkdtempSync(join(tmpdir(), 'varispeed-opt-'))
})
afterEach(() => rmSync(optFolder, { recursive: true, force: true }))

/** Runs the step of `deploy/Containerfile` after the one that unpacks packages to /opt, with these packages. */
function runStepAfterUnpacking(...packageNames: string[]) {
  for (const packageName of packageNames) mkdirSync(join(optFolder, packageName))
  const containerfile = readFileSync(join(root, 'deploy/Containerfile'), 'utf8')
  const [, shellText = ''] = /^ADD .*\nRUN (.*)$/m.exec(containerfile) ?? []
  const { status, stderr } = spawnSync('sh', ['-c', shellText.replaceAll('/opt/', `${optFolder}/`)], { encoding: 'utf8' })
  return { status, stderr, folders: readdirSync(optFolder) }
}

test('an image contains the only package', () => {
  expect(runStepAfterUnpacking('varispeed-0.1.0+20260101000000-linux-x64')).toEqual({ status: 0, stderr: '', folders: ['varispeed'] })
})

test('the image of several packages is refused with a message that names the argument to choose one', () => {
  const { status, stderr } = runStepAfterUnpacking('varispeed-0.1.0+1-linux-x64', 'varispeed-0.1.0+2-linux-x64')
  expect(status).toBe(1)
  expect(stderr).toBe('There are 2 packages: choose one with --build-arg PACKAGE=FILE\n')
})
