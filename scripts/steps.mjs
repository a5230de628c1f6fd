import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { countPlaywright, countVitest } from './counts.mjs'
import { root } from './node-version.mjs'

/**
 * @typedef {import('./counts.mjs').Count} Count
 * @typedef {{ name: string, run: () => Promise<Count> }} Step
 */

/** @type {Count} */
export const one = { passed: 1, failed: 0, failures: [] }
/** @type {Count} */
export const none = { passed: 0, failed: 1, failures: [] }

/** Runs each step under a heading, whatever became of those before. @param {Step[]} steps @returns {Promise<Count>} */
export async function runSteps(steps) {
  /** @type {string[]} */
  const lines = []
  /** @type {Count} */
  const total = { passed: 0, failed: 0, failures: [] }
  for (const { name, run } of steps) {
    process.stdout.write(`\n━━ ${name} ${'━'.repeat(Math.max(0, 76 - name.length))}\n`)
    const startMs = Date.now()
    const count = await run().catch((error) => {
      process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
      return none
    })
    total.passed += count.passed
    total.failed += count.failed
    total.failures.push(...count.failures.map((failure) => `${name}: ${failure}`))
    const seconds = ((Date.now() - startMs) / 1000).toFixed(1)
    lines.push(
      `${count.failed === 0 ? '  ok  ' : ' FAIL '} ${name.padEnd(28)} ${count.passed} passed, ${count.failed} failed, ${seconds} s`,
    )
  }
  process.stdout.write(`\n${lines.join('\n')}\n${total.failures.map((failure) => `\n${failure}\n`).join('')}`)
  return total
}

/**
 * Runs a program of node_modules, or a script, with Node. A program that takes too long is stopped.
 *
 * @param {string[]} args
 * @param {{ minutes?: number, env?: Record<string, string> }} [options]
 * @returns {Promise<number>} its exit code; 1 where a signal ended it
 */
export function node(args, { minutes = 5, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] })
    const timer = setTimeout(() => {
      process.stdout.write(`stopped: it took longer than ${minutes} minutes\n`)
      child.kill('SIGTERM')
      setTimeout(() => child.kill('SIGKILL'), 5000).unref()
    }, minutes * 60_000)
    const forward = () => child.kill('SIGTERM')
    process.once('SIGTERM', forward)
    child.once('exit', (code) => {
      clearTimeout(timer)
      process.removeListener('SIGTERM', forward)
      resolve(code ?? 1)
    })
  })
}

/** A check that is one check: its program's exit code says it all. @param {string[]} args @returns {Promise<Count>} */
export const check = async (...args) => ((await node(args)) === 0 ? one : none)

/**
 * Vitest's own numbers; a missing report is a failure.
 *
 * @param {string} project
 * @param {number} minutes
 * @returns {Promise<Count>}
 */
export async function vitest(project, minutes) {
  const report = `test-results/${project}.json`
  rmSync(join(root, report), { force: true })
  const code = await node(
    ['node_modules/vitest/vitest.mjs', 'run', '--project', project, '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`],
    { minutes },
  )
  return countVitest(readReport(report), code)
}

/**
 * Playwright's own numbers.
 *
 * @param {string[]} projects
 * @param {number} minutes
 * @returns {Promise<Count>}
 */
export async function playwright(projects, minutes) {
  const report = 'test-results/e2e.json'
  rmSync(join(root, report), { force: true })
  const code = await node(['node_modules/@playwright/test/cli.js', 'test', ...projects.map((project) => `--project=${project}`)], {
    minutes,
  })
  return countPlaywright(readReport(report), code)
}

/** @param {string} path */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8'))
  } catch {
    throw new Error(`the runner left no report in ${path}`)
  }
}
