import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readExample, readExampleSettings, replaceText } from './example-files.ts'

// The service and the admin command of `deploy/`, with the paths of this checkout.

const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
let workFolder = ''
beforeEach(async () => {
  workFolder = await mkdtemp(join(tmpdir(), 'varispeed-deploy-'))
})
afterEach(() => rm(workFolder, { recursive: true, force: true }))

it('systemd accepts the service', async () => {
  const unitText = replaceText(await readExample('varispeed.service'), '/usr/bin/node', process.execPath)
  const filePath = join(workFolder, 'varispeed.service')
  await writeFile(filePath, unitText)
  const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', filePath], { encoding: 'utf8' })
  if (error !== undefined) throw new Error('systemd-analyze is not installed: apt-get install systemd (docs/testing.md)')
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

it('the service and the admin command read the same settings and run the same build', async () => {
  const unitText = await readExample('varispeed.service')
  const commandText = await readExample('varispeed-admin')
  expect(unitText).toContain('EnvironmentFile=/etc/varispeed.env')
  expect(unitText).toContain('WorkingDirectory=/opt/varispeed\n')
  expect(unitText).toMatch(/^ExecStart=\/usr\/bin\/node .*dist\/server\/main\.js$/m)
  // ASVS 13.4.1: the program must not be able to read the history of the repository.
  expect(unitText).toContain('InaccessiblePaths=-/opt/varispeed/.git\n')
  for (const line of ['Restart=on-failure', 'StartLimitIntervalSec=0']) expect(unitText).toContain(`\n${line}\n`)
  const { DATA_DIR } = await readExampleSettings()
  expect(unitText).toContain(`StateDirectory=${DATA_DIR?.replace('/var/lib/', '')}\n`)

  const settingsFile = join(workFolder, 'varispeed.env')
  await writeFile(settingsFile, replaceText(await readExample('varispeed.env'), '/var/lib/varispeed', join(workFolder, 'data')))
  const filePath = join(workFolder, 'varispeed-admin')
  const scriptWithPaths = [
    ['= varispeed ]', `= ${userInfo().username} ]`],
    ['/etc/varispeed.env', settingsFile],
    ['/usr/bin/node', process.execPath],
    ['/opt/varispeed', projectRoot],
  ] as const
  await writeFile(
    filePath,
    scriptWithPaths.reduce((text, [search, replacement]) => replaceText(text, search, replacement), commandText),
    { mode: 0o755 },
  )
  const runScript = (...args: string[]) => spawnSync(filePath, args, { encoding: 'utf8', env: { PATH: process.env.PATH } })
  expect(runScript('user', 'create', '--email', 'ann@example.com', '--password', 'secret words')).toMatchObject({ status: 0, stderr: '' })
  expect(runScript('user', 'list').stdout).toContain('ann@example.com')
  expect(runScript('user', 'list', 'much').status).toBe(2)
})
