import { afterEach, expect, test, vi } from 'vitest'
import type { OpenProject } from '../engine.ts'
import type { ProjectStore } from './project-store.ts'
import { openLastProject, openProject } from './testing/open-project.ts'
import { createSimulatedBrowser } from './testing/simulated-browser.ts'

const SETTINGS = { speed: 1.1, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }
const SONG_BYTES = 3000

const createFile = (song: string) => ({ name: `${song}.mp3`, blob: new Blob(['x'.repeat(SONG_BYTES)], { type: 'audio/mpeg' }) })

/** Saves a project with this speed. Returns its id. */
async function saveProject(store: ProjectStore, song: string, speed = SETTINGS.speed): Promise<string> {
  expect(await store.save(createFile(song), { ...SETTINGS, speed })).toBe(true)
  return store.openId ?? ''
}

async function changeSpeed(store: ProjectStore, speed: number): Promise<void> {
  store.saveSettings({ ...SETTINGS, speed })
  await store.flush()
}

/** The titles and speeds of all projects in the order of their titles. */
const listSpeeds = async (store: ProjectStore) => (await store.library.list()).map(({ title, rate }) => `${title} ${rate}`).sort()

afterEach(() => vi.useRealTimers())

test('projects: a change while another project is read belongs to the project that is still open', async () => {
  const browser = createSimulatedBrowser()
  const store = browser.openTab()
  const otherId = await saveProject(store, 'b', 0.8)
  const openId = await saveProject(store, 'a')
  const otherProject = await store.read(otherId)
  await changeSpeed(store, 1.15)
  expect(store.openId).toBe(openId)
  expect(await listSpeeds(store)).toEqual(['a 1.15', 'b 0.8'])
  expect(await browser.openTab().readLast()).toMatchObject({ file: { name: 'a.mp3' } })
  if (otherProject) void store.open(otherProject)
  await changeSpeed(store, 0.9)
  expect(await listSpeeds(store)).toEqual(['a 1.15', 'b 0.9'])
  expect(await browser.openTab().readLast()).toMatchObject({ file: { name: 'b.mp3' } })
})

test('projects: changes just before and just after another project is opened are both saved without a further change', async () => {
  const store = createSimulatedBrowser().openTab()
  const otherId = await saveProject(store, 'b', 0.8)
  await saveProject(store, 'a')
  const otherProject = await store.read(otherId)
  store.saveSettings({ ...SETTINGS, speed: 1.15 })
  if (otherProject) void store.open(otherProject)
  store.saveSettings({ ...SETTINGS, speed: 0.9 })
  await expect.poll(() => listSpeeds(store)).toEqual(['a 1.15', 'b 0.9'])
})

test('projects: a project that is opened twice at once is changed itself, and only the last of two opened projects stays locked', async () => {
  const browser = createSimulatedBrowser()
  const store = browser.openTab()
  const otherTab = browser.openTab()
  const [firstId, secondId] = [await saveProject(store, 'a'), await saveProject(store, 'b')]
  await store.close()
  await Promise.all([openProject(store, firstId), openProject(store, firstId)])
  await changeSpeed(store, 1.25)
  expect(await listSpeeds(store)).toEqual(['a 1.25', 'b 1.1'])
  await Promise.all([openProject(store, firstId), openProject(store, secondId)])
  expect(store.openId).toBe(secondId)
  expect(await otherTab.library.rename(firstId, 'free')).toBe(true)
  expect(await otherTab.library.rename(secondId, 'free')).toBe(false)
})

test('projects: a change during the save of an earlier one, while another tab has the project, makes no second copy', async () => {
  const browser = createSimulatedBrowser()
  const [firstTab, secondTab] = [browser.openTab(), browser.openTab()]
  await saveProject(firstTab, 'a')
  await openLastProject(secondTab)
  const firstSave = changeSpeed(secondTab, 0.5)
  // The first save has begun by now.
  await firstTab.library.list()
  await Promise.all([firstSave, changeSpeed(secondTab, 0.6)])
  expect(await listSpeeds(secondTab)).toEqual(['a 1.1', 'a copy 0.6'])
})

test('projects: a tab that shows an edit which another tab has changed and closed saves its changes in a copy of what it shows', async () => {
  const browser = createSimulatedBrowser()
  const [firstTab, secondTab] = [browser.openTab(), browser.openTab()]
  const projectId = await saveProject(firstTab, 'a')
  await openLastProject(secondTab)
  firstTab.saveLoop({ on: true, startS: 1, endS: 2 })
  await changeSpeed(firstTab, 1.5)
  await saveProject(firstTab, 'next')
  secondTab.saveBpm(90)
  await changeSpeed(secondTab, 0.7)
  expect(await listSpeeds(secondTab)).toEqual(['a 1.5', 'a copy 0.7', 'next 1.1'])
  expect(await secondTab.read(secondTab.openId ?? '')).toMatchObject({ loop: undefined, bpm: 90 })
  expect(await firstTab.read(projectId)).toMatchObject({ loop: { startS: 1 }, bpm: undefined })
})

test('projects: an edit that another tab changes while this tab decodes its song is not replaced', async () => {
  const browser = createSimulatedBrowser()
  const [firstTab, secondTab] = [browser.openTab(), browser.openTab()]
  const projectId = await saveProject(firstTab, 'a')
  const readEdit = await secondTab.read(projectId)
  await changeSpeed(firstTab, 1.5)
  await firstTab.close()
  if (readEdit) await secondTab.open(readEdit)
  secondTab.saveLength(3)
  await changeSpeed(secondTab, 0.7)
  expect(await listSpeeds(secondTab)).toEqual(['a 1.5', 'a copy 0.7'])
})

test('projects: an edit that was outdated when it appeared is changed itself after it is opened again', async () => {
  const browser = createSimulatedBrowser()
  const [firstTab, secondTab] = [browser.openTab(), browser.openTab()]
  const projectId = await saveProject(firstTab, 'a')
  const readEdit = await secondTab.read(projectId)
  firstTab.saveLoop({ on: true, startS: 1, endS: 2 })
  await firstTab.close()
  if (readEdit) await secondTab.open(readEdit)
  expect(await openProject(secondTab, projectId)).toMatchObject({ loop: { startS: 1 } })
  await changeSpeed(secondTab, 0.7)
  expect(await listSpeeds(secondTab)).toEqual(['a 0.7'])
  expect(await secondTab.read(projectId)).toMatchObject({ loop: { startS: 1 }, settings: { speed: 0.7 } })
})

test('projects: a tab saves in the project itself when another tab has only renamed it, and when it has opened the edit again', async () => {
  const browser = createSimulatedBrowser()
  const [firstTab, secondTab] = [browser.openTab(), browser.openTab()]
  const projectId = await saveProject(firstTab, 'a')
  await openLastProject(secondTab)
  await firstTab.library.rename(projectId, 'new name')
  await firstTab.close()
  await changeSpeed(secondTab, 0.7)
  expect(await listSpeeds(secondTab)).toEqual(['new name 0.7'])
  await openLastProject(firstTab)
  await changeSpeed(secondTab, 0.75)
  await secondTab.close()
  await openProject(firstTab, projectId)
  await changeSpeed(firstTab, 1.3)
  expect(await listSpeeds(secondTab)).toEqual(['new name 1.3'])
})

test('projects: a song for which there was no room is stored with the next change once there is room', async () => {
  const browser = createSimulatedBrowser()
  const store = browser.openTab()
  const saveProblems: OpenProject['saveProblem'][] = []
  store.onState(({ saveProblem }) => saveProblems.push(saveProblem))
  browser.setCapacity(SONG_BYTES / 2)
  expect(await store.save(createFile('a'), SETTINGS)).toBe(false)
  await store.saveCover(Promise.resolve(new Blob(['picture'])))
  await changeSpeed(store, 0.7)
  expect(saveProblems.at(-1)).toBe('no-room')
  browser.setCapacity(3 * SONG_BYTES)
  await changeSpeed(store, 0.9)
  expect(saveProblems.at(-1)).toBeUndefined()
  expect(await listSpeeds(store)).toEqual(['a 0.9'])
  const [summary] = await store.library.list()
  expect(await summary?.cover?.text()).toBe('picture')
  expect(await browser.openTab().readLast()).toMatchObject({ file: { name: 'a.mp3' }, settings: { speed: 0.9 } })
})

test('projects: a song for which there was no room is stored when the files of a deleted edit are removed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const browser = createSimulatedBrowser()
  const store = browser.openTab()
  const oldId = await saveProject(store, 'old')
  browser.setCapacity(1.5 * SONG_BYTES)
  expect(await store.save(createFile('new'), SETTINGS)).toBe(false)
  expect(await store.library.remove(oldId)).toBe(true)
  await store.flush()
  expect(await listSpeeds(store)).toEqual([])
  browser.passTime(61_000)
  await vi.advanceTimersByTimeAsync(61_000)
  vi.useRealTimers()
  await expect.poll(() => listSpeeds(store)).toEqual(['new 1.1'])
})

/** Waits until a save that has begun has ended. */
async function settleSaves(store: ProjectStore): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await store.library.list()
    await store.read('')
  }
}

test('projects: a song for which there was no room is not written again when another tab saves, but when it has removed files', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const browser = createSimulatedBrowser()
  const [store, otherTab] = [browser.openTab(), browser.openTab()]
  await saveProject(otherTab, 'old')
  browser.setCapacity(1.5 * SONG_BYTES)
  expect(await store.save(createFile('new'), SETTINGS)).toBe(false)
  const { refusedWriteCount } = browser
  const changeReceived = new Promise<void>((resolve) => store.library.subscribe(resolve))
  await changeSpeed(otherTab, 0.9)
  await changeReceived
  await settleSaves(store)
  expect(browser.refusedWriteCount).toBe(refusedWriteCount)
  expect(await otherTab.clear()).toBe(true)
  browser.passTime(61_000)
  await vi.advanceTimersByTimeAsync(61_000)
  vi.useRealTimers()
  await expect.poll(() => listSpeeds(store)).toEqual(['new 1.1'])
})

test('projects: a song for which there was no room is written again at most every ten seconds while it is changed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const browser = createSimulatedBrowser()
  const store = browser.openTab()
  browser.setCapacity(SONG_BYTES / 2)
  expect(await store.save(createFile('a'), SETTINGS)).toBe(false)
  const { refusedWriteCount } = browser
  for (const speed of [0.7, 0.8, 0.9]) {
    store.saveSettings({ ...SETTINGS, speed })
    await vi.advanceTimersByTimeAsync(3000)
    browser.passTime(3000)
    await settleSaves(store)
  }
  expect(browser.refusedWriteCount).toBe(refusedWriteCount)
  browser.setCapacity(3 * SONG_BYTES)
  await vi.advanceTimersByTimeAsync(2000)
  vi.useRealTimers()
  await expect.poll(() => listSpeeds(store)).toEqual(['a 0.9'])
})

test('projects: a song for which there was no room is written again at once when it is closed', async () => {
  const browser = createSimulatedBrowser()
  const store = browser.openTab()
  browser.setCapacity(SONG_BYTES / 2)
  expect(await store.save(createFile('a'), SETTINGS)).toBe(false)
  store.saveSettings({ ...SETTINGS, speed: 0.7 })
  browser.setCapacity(3 * SONG_BYTES)
  await store.close()
  expect(await listSpeeds(store)).toEqual(['a 0.7'])
})

test('projects: if another edit is opened while the open one is deleted, only the deleted one is removed, with its song after a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const browser = createSimulatedBrowser()
  const store = browser.openTab()
  const otherId = await saveProject(store, 'other')
  await saveProject(store, 'deleted')
  const countSongs = () => [...browser.disk.keys()].filter((fileName) => fileName.endsWith('.sound')).length
  const otherProject = await store.read(otherId)
  let changeCount = 0
  store.library.subscribe(() => changeCount++)
  const deletion = store.deleteOpen()
  if (otherProject) void store.open(otherProject)
  expect(await deletion).toBe(true)
  expect(store.openId).toBe(otherId)
  expect(store.isOpenDeleted).toBe(false)
  expect(changeCount).toBeGreaterThan(0)
  expect(await listSpeeds(store)).toEqual(['other 1.1'])
  expect(countSongs()).toBe(2)
  browser.passTime(61_000)
  await vi.advanceTimersByTimeAsync(61_000)
  vi.useRealTimers()
  await expect.poll(countSongs).toBe(1)
  expect(await listSpeeds(store)).toEqual(['other 1.1'])
})

test('projects: clearing resolves with whether the project was deleted, and a deletion that could not be written is reported', async () => {
  const browser = createSimulatedBrowser()
  const [firstTab, secondTab] = [browser.openTab(), browser.openTab()]
  const projectId = await saveProject(firstTab, 'a')
  await openLastProject(secondTab)
  expect(await secondTab.deleteOpen()).toBe(false)
  expect(secondTab.openId).toBe(projectId)
  expect(await secondTab.clear()).toBe(false)
  expect(await secondTab.readLast()).toBeUndefined()
  expect(await listSpeeds(secondTab)).toEqual(['a 1.1'])

  const saveProblems: OpenProject['saveProblem'][] = []
  firstTab.onState(({ saveProblem }) => saveProblems.push(saveProblem))
  browser.setCapacity(0)
  expect(await firstTab.clear()).toBe(false)
  expect(saveProblems.at(-1)).toBe('no-room')
  expect(await listSpeeds(firstTab)).toEqual(['a 1.1'])

  browser.setCapacity(3 * SONG_BYTES)
  await openProject(firstTab, projectId)
  expect(await firstTab.clear()).toBe(true)
  expect(await listSpeeds(firstTab)).toEqual([])
  expect(await firstTab.library.restore(projectId)).toBe(true)
  expect(await listSpeeds(firstTab)).toEqual(['a 1.1'])
})
