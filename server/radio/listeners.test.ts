import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { createLog } from '../log.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { createRadioListeners } from './listeners.ts'

const START_MS = Date.UTC(2026, 6, 1)
const mainStation = { brandId: 'brand', station: 'main' }
const silentLog = createLog('silent', { write: () => {} })
const createClientId = (client: number) => createHash('sha256').update(String(client)).digest('base64url').slice(0, 22)

describeStores('radio listeners', (fixture) => {
  function startProcesses(processCount: number, exchangeCounts = fixture.storage.radio.exchangeListeners) {
    const clock = { nowMs: START_MS }
    const listenerProcesses = Array.from({ length: processCount }, () => {
      const runningExchanges: Promise<unknown>[] = []
      const listeners = createRadioListeners({
        exchange: (...listenerSample) => {
          const exchanged = exchangeCounts(...listenerSample)
          runningExchanges.push(exchanged.catch(() => {}))
          return exchanged
        },
        nowMs: () => clock.nowMs,
        log: silentLog,
      })
      return { ...listeners, settle: () => Promise.all(runningExchanges) }
    })
    /** Counts in every process, until each one has read the counts of the others. */
    async function countAll() {
      for (let round = 0; round < 2; round++) {
        clock.nowMs += 5000
        for (const each of listenerProcesses) {
          each.count(mainStation)
          await each.settle()
        }
      }
      return listenerProcesses.map((each) => each.count(mainStation))
    }
    return { clock, processes: listenerProcesses, countAll }
  }

  test('a client counts once, for 15 s after each request, and only at its station', () => {
    const { clock, processes } = startProcesses(1)
    const [listeners] = processes
    for (const client of [1, 2, 2, 1]) listeners?.add(mainStation, createClientId(client))
    expect(listeners?.count(mainStation)).toBe(2)
    expect(listeners?.count({ ...mainStation, station: 'newcomers' })).toBe(0)
    clock.nowMs += 10_000
    listeners?.add(mainStation, createClientId(1))
    clock.nowMs += 4999
    expect(listeners?.count(mainStation)).toBe(2)
    clock.nowMs += 1
    expect(listeners?.count(mainStation)).toBe(1)
    clock.nowMs += 10_000
    expect(listeners?.count(mainStation)).toBe(0)
  })

  test('the processes of one database agree: a client that sends requests to several processes counts once, and a process that has ended does not count', async () => {
    const { clock, processes, countAll } = startProcesses(3)
    for (const [index, each] of processes.entries())
      for (let client = 0; client < 4; client++) each.add(mainStation, createClientId(10 * index + client))
    for (const each of processes) each.add(mainStation, createClientId(0))
    expect(await countAll()).toEqual([12, 12, 12])
    clock.nowMs += 10_000
    processes[0]?.add(mainStation, createClientId(0))
    expect(await countAll()).toEqual([1, 1, 1])
  })

  test('listeners counted by a process with a wrong clock are deleted', async () => {
    const { clock, processes } = startProcesses(2)
    const [endedProcess, runningProcess] = processes
    clock.nowMs += 3_600_000
    endedProcess?.add(mainStation, createClientId(1))
    endedProcess?.count(mainStation)
    await endedProcess?.settle()
    clock.nowMs = START_MS
    runningProcess?.count(mainStation)
    await runningProcess?.settle()
    expect(runningProcess?.count(mainStation)).toBe(0)
  })

  test('20,000 listeners of two processes are counted to within 10 %', async () => {
    const { processes, countAll } = startProcesses(2)
    for (let client = 0; client < 20_000; client++) processes[client % 2]?.add(mainStation, createClientId(client))
    for (const count of await countAll()) expect(Math.abs(count - 20_000)).toBeLessThan(2000)
  })

  test('the database is written at most every 5 s, and only while somebody listens; if writing fails, the process uses its own count', async () => {
    const exchangeMock = vi.fn(async () => {
      throw new Error('the database does not answer')
    })
    const { clock, processes } = startProcesses(1, exchangeMock)
    for (let requestNumber = 0; requestNumber < 100; requestNumber++) {
      processes[0]?.add(mainStation, createClientId(requestNumber))
      expect(processes[0]?.count(mainStation)).toBe(requestNumber + 1)
      clock.nowMs += 100
    }
    await processes[0]?.settle()
    expect(exchangeMock).toHaveBeenCalledTimes(2)
  })
})
