import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findFreePort, type Site, startSite } from '../server.ts'

// Tests the metrics of the built server, and the alerts of `deploy/`, with the real Prometheus (Debian's package `prometheus`).

const deployDir = fileURLToPath(new URL('../../deploy/', import.meta.url))
const rulesFile = join(deployDir, 'prometheus-rules.yml')
const runProgram = promisify(execFile)

let site: Site
let metricsPort: number
beforeAll(async () => {
  metricsPort = await findFreePort()
  site = await startSite({ METRICS: `127.0.0.1:${metricsPort}`, BACKUP_AT: '03:30' })
  await vi.waitFor(async () => expect(await readMetrics()).toMatch(/^varispeed_last_backup_timestamp_seconds [1-9]/m), { timeout: 60_000 })
})
afterAll(() => site.stop())

const readMetrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()

test('the metrics follow the conventions of Prometheus', async () => {
  await fetch(`${site.origin()}/api/song/random`)
  const promtoolProcess = spawn('promtool', ['check', 'metrics'])
  let metricsReport = ''
  for (const stream of [promtoolProcess.stdout, promtoolProcess.stderr])
    stream.on('data', (chunk: Buffer) => (metricsReport += chunk.toString()))
  promtoolProcess.stdin.end(await readMetrics())
  await once(promtoolProcess, 'close')
  // The default metrics of prom-client break some conventions; ours must break none.
  expect(metricsReport.split('\n').filter((line) => line.startsWith('varispeed_'))).toEqual([])
})

test('each alert stays silent while all is well, and fires once its condition has lasted', async () => {
  const { stdout } = await runProgram('promtool', ['test', 'rules', 'prometheus-rules.test.yml'], { cwd: deployDir })
  expect(stdout).toContain('SUCCESS')
})

test('the server has every metric that the alerts name', async () => {
  const metricsText = await readMetrics()
  const named = [...(await readFile(rulesFile, 'utf8')).matchAll(/\b(?:varispeed|nodejs|process)_\w+/g)].map(([name]) => name)
  expect(named.length).toBeGreaterThan(8)
  for (const name of named) expect(metricsText, name).toContain(name)
})

test('Prometheus reads the metrics of the server, and reports an alert after the server has stopped', async () => {
  const workFolder = await mkdtemp(join(tmpdir(), 'varispeed-prometheus-'))
  const configFile = join(workFolder, 'prometheus.yml')
  const rulesText = (await readFile(rulesFile, 'utf8')).replaceAll(/for: \d+m/g, 'for: 2s')
  await writeFile(join(workFolder, 'rules.yml'), rulesText)
  await writeFile(
    configFile,
    `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [rules.yml]
scrape_configs: [{ job_name: varispeed, static_configs: [{ targets: ['127.0.0.1:${metricsPort}'] }] }]
`,
  )
  const port = await findFreePort()
  const prometheusProcess = spawn(
    'prometheus',
    [`--config.file=${configFile}`, `--storage.tsdb.path=${join(workFolder, 'data')}`, `--web.listen-address=127.0.0.1:${port}`],
    { stdio: 'ignore' },
  )
  try {
    const queryPrometheus = async (path: string): Promise<string> =>
      JSON.stringify(await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json())
    const waitForPrometheus = (path: string, text: string) =>
      vi.waitFor(async () => expect(await queryPrometheus(path)).toContain(text), { timeout: 60_000, interval: 500 })
    await waitForPrometheus('query?query=varispeed_database_up', '"1"]')
    expect(await queryPrometheus('alerts')).toContain('"alerts":[]')
    await site.stop()
    await waitForPrometheus('alerts', '"state":"firing"')
    expect(await queryPrometheus('alerts')).toContain('VarispeedDown')
  } finally {
    prometheusProcess.kill()
    await once(prometheusProcess, 'exit')
    await rm(workFolder, { recursive: true, force: true })
  }
})
