import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readExample, readExampleSettings, replaceText } from './example-files.ts'

// The service and the admin command of `deploy/`, with the paths of this checkout.

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'varispeed-deploy-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('systemd accepts the service', async () => {
  const unit = replaceText(await readExample('varispeed.service'), '/usr/bin/node', process.execPath)
  const filePath = join(folder, 'varispeed.service')
  await writeFile(filePath, unit)
  const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', filePath], { encoding: 'utf8' })
  if (error !== undefined) throw new Error('systemd-analyze is not installed: apt-get install systemd (docs/testing.md)')
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

it('the service and the admin command read the same settings and run the same build', async () => {
  const unit = await readExample('varispeed.service')
  const command = await readExample('varispeed-admin')
  expect(unit).toContain('EnvironmentFile=/etc/varispeed.env')
  expect(unit).toContain('WorkingDirectory=/opt/varispeed\n')
  expect(unit).toMatch(/^ExecStart=\/usr\/bin\/node .*dist\/server\/main\.js$/m)
  // ASVS 13.4.1: the program must not be able to read the history of the repository.
  expect(unit).toContain('InaccessiblePaths=-/opt/varispeed/.git\n')
  for (const line of ['Restart=on-failure', 'StartLimitIntervalSec=0']) expect(unit).toContain(`\n${line}\n`)
  const { DATA_DIR } = await readExampleSettings()
  expect(unit).toContain(`StateDirectory=${DATA_DIR?.replace('/var/lib/', '')}\n`)

  const settingsFile = join(folder, 'varispeed.env')
  await writeFile(settingsFile, replaceText(await readExample('varispeed.env'), '/var/lib/varispeed', join(folder, 'data')))
  const filePath = join(folder, 'varispeed-admin')
  const withPaths = [
    ['= varispeed ]', `= ${userInfo().username} ]`],
    ['/etc/varispeed.env', settingsFile],
    ['/usr/bin/node', process.execPath],
    ['/opt/varispeed', root],
  ] as const
  await writeFile(
    filePath,
    withPaths.reduce((text, [search, replacement]) => replaceText(text, search, replacement), command),
    { mode: 0o755 },
  )
  const run = (...args: string[]) => spawnSync(filePath, args, { encoding: 'utf8', env: { PATH: process.env.PATH } })
  expect(run('user', 'create', '--email', 'ann@example.com', '--password', 'secret words')).toMatchObject({ status: 0, stderr: '' })
  expect(run('user', 'list').stdout).toContain('ann@example.com')
  expect(run('user', 'list', 'much').status).toBe(2)
})
