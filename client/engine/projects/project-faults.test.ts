import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createProjectStore } from './project-store.ts'
import {
  createMemoryFolder,
  createMemoryLocks,
  createTab,
  type SimulatedDisk,
  type SimulatedTab,
  TabKilledError,
} from './testing/memory-folder.ts'

const SETTINGS = { speed: 1.25, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }

/** Simulates a browser whose disk keeps its files when tabs are killed. */
function createSimulatedBrowser() {
  const disk: SimulatedDisk = new Map()
  const earlierDisk: SimulatedDisk = new Map()
  const locksOf = createMemoryLocks()
  let nowMs = 1_000_000
  const openTab = (tab: SimulatedTab = createTab()) =>
    createProjectStore({
      ownerId: 'me',
      openFolder: async () => createMemoryFolder(disk, tab),
      openEarlierFolder: async () => createMemoryFolder(earlierDisk, tab),
      locks: locksOf(tab),
      nowMs: () => nowMs,
    })
  return {
    disk,
    earlierDisk,
    openTab,
    passTime: (ms: number) => {
      nowMs += ms
    },
  }
}
type SimulatedBrowser = ReturnType<typeof createSimulatedBrowser>
type Store = ReturnType<SimulatedBrowser['openTab']>

/** The projects on the disk: song, name and speed of each project, by the project's id. */
type Library = ReadonlyMap<string, string>

/** Opens a new tab and reads every project with its song. A project whose song is incomplete fails. */
async function readLibrary(browser: SimulatedBrowser): Promise<Library> {
  const store = browser.openTab()
  const library = new Map<string, string>()
  for (const { id, title } of await store.library.list()) {
    const project = await store.open(id)
    const text = (await project?.file.blob.text()) ?? ''
    const [song = ''] = text.split(' ')
    expect(text, `${title} is whole`).toBe(songText(song))
    library.set(id, `${song}, ${title}, ${project?.settings.speed}`)
  }
  await store.dispose()
  return library
}

const songText = (song: string) => `${song} ${'sound '.repeat(20)}`
const fileOf = (song: string) => ({ name: `${song}.mp3`, blob: new Blob([songText(song)], { type: 'audio/mpeg' }) })

type Action =
  | { kind: 'save'; songName: string }
  | { kind: 'settings'; speed: number }
  | { kind: 'open' | 'rename' | 'duplicate' | 'remove'; at: number }
  | { kind: 'clear' | 'undo' | 'wait' | 'reopen' }

const anyAction: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant('save' as const), songName: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ kind: fc.constant('settings' as const), speed: fc.integer({ min: 1, max: 20 }).map((tenths) => tenths / 10) }),
  fc.record({ kind: fc.constantFrom('open' as const, 'rename' as const, 'duplicate' as const, 'remove' as const), at: fc.nat(5) }),
  fc.record({ kind: fc.constantFrom('clear' as const, 'undo' as const, 'wait' as const, 'reopen' as const) }),
)

interface Person {
  store: Store
  removedId: string | undefined
}

async function act(browser: SimulatedBrowser, person: Person, tab: SimulatedTab, action: Action): Promise<void> {
  const { store } = person
  const ids = (await store.library.list()).map(({ id }) => id).toSorted()
  const id = 'at' in action ? ids[action.at % Math.max(1, ids.length)] : undefined
  if (action.kind === 'save') await store.save(fileOf(action.songName), SETTINGS)
  else if (action.kind === 'settings') {
    store.saveSettings({ ...SETTINGS, speed: action.speed })
    await store.flush()
  } else if (action.kind === 'clear') {
    person.removedId = store.openId
    await store.clear()
  } else if (action.kind === 'undo') {
    if (person.removedId !== undefined) await store.library.restore(person.removedId)
    person.removedId = undefined
  } else if (action.kind === 'wait') browser.passTime(90_000)
  else if (action.kind === 'reopen') {
    await store.dispose()
    person.store = browser.openTab(tab)
    await person.store.load()
  } else if (id !== undefined) {
    if (action.kind === 'open') await store.open(id)
    else if (action.kind === 'rename') await store.library.rename(id, `name ${action.at}`)
    else if (action.kind === 'duplicate') await store.library.duplicate(id)
    else if (store.openId !== id) {
      person.removedId = id
      await store.library.remove(id)
    }
  }
}

const isDead = (tab: SimulatedTab) => tab.stepsLeft <= 0

/** Checks that an action that was interrupted has changed, added or removed at most one project. */
function expectWholeLibrary(libraryBefore: Library, libraryAfter: Library, { kind }: Action) {
  const changedIds = [...libraryBefore].filter(([id, project]) => libraryAfter.has(id) && libraryAfter.get(id) !== project)
  const lostIds = [...libraryBefore.keys()].filter((id) => !libraryAfter.has(id))
  const addedIds = [...libraryAfter.keys()].filter((id) => !libraryBefore.has(id))
  expect(changedIds.length).toBeLessThanOrEqual(kind === 'settings' || kind === 'rename' ? 1 : 0)
  expect(lostIds.length).toBeLessThanOrEqual(kind === 'remove' || kind === 'clear' ? 1 : 0)
  expect(addedIds.length).toBeLessThanOrEqual(kind === 'save' || kind === 'duplicate' || kind === 'undo' ? 1 : 0)
}

const PROPERTY_OPTIONS = { numRuns: 40 }
const anyActions = fc.array(anyAction, { minLength: 1, maxLength: 12 })

test('projects: if the tab is killed at any step, every project is complete, in its state before or after the action', async () => {
  await fc.assert(
    fc.asyncProperty(anyActions, fc.nat(300), async (actions, steps) => {
      const browser = createSimulatedBrowser()
      const tab = createTab(steps)
      const person: Person = { store: browser.openTab(tab), removedId: undefined }
      let libraryBefore: Library = new Map()
      for (const action of actions) {
        await act(browser, person, tab, action).catch((error: unknown) => {
          if (!(error instanceof TabKilledError)) throw error
        })
        const after = await readLibrary(browser)
        if (isDead(tab)) return expectWholeLibrary(libraryBefore, after, action)
        libraryBefore = after
      }
    }),
    PROPERTY_OPTIONS,
  )
})

test('projects: if the disk is full at any step, no saved data is lost, and the next action works', async () => {
  await fc.assert(
    fc.asyncProperty(anyActions, fc.nat(200), async (actions, stepsToFull) => {
      const browser = createSimulatedBrowser()
      const tab = createTab(undefined, stepsToFull)
      const person: Person = { store: browser.openTab(tab), removedId: undefined }
      let libraryBefore: Library = new Map()
      for (const action of actions) {
        await act(browser, person, tab, action)
        const after = await readLibrary(browser)
        expectWholeLibrary(libraryBefore, after, action)
        libraryBefore = after
      }
      await person.store.save(fileOf('last'), SETTINGS)
      expect([...(await readLibrary(browser)).values()]).toContain('last, last, 1.25')
    }),
    PROPERTY_OPTIONS,
  )
})

test('projects: two tabs never write to the same project: each edit is saved in the project or in a copy of it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ tab: fc.nat(1), action: anyAction }), { maxLength: 14 }), async (actions) => {
      const browser = createSimulatedBrowser()
      const tabs = [createTab(), createTab()]
      const people = tabs.map((tab): Person => ({ store: browser.openTab(tab), removedId: undefined }))
      // Both tabs have the same project open.
      await people[0]?.store.save(fileOf('a'), SETTINGS)
      await people[1]?.store.load()
      const latestSpeeds = new Map<Person, number>()
      for (const { tab, action } of actions) {
        const person = people[tab]
        const ownTab = tabs[tab]
        if (person === undefined || ownTab === undefined) continue
        const openBefore = person.store.openId
        await act(browser, person, ownTab, action)
        if (action.kind === 'settings' && person.store.openId !== undefined) latestSpeeds.set(person, action.speed)
        else if (person.store.openId !== openBefore || action.kind === 'reopen') latestSpeeds.delete(person)
      }
      const library = await readLibrary(browser)
      for (const [person, speed] of latestSpeeds) expect(library.get(person.store.openId ?? '')).toMatch(new RegExp(`, ${speed}$`))
    }),
    PROPERTY_OPTIONS,
  )
})

test('projects: the project of an earlier version is adopted with its settings, also by a page that is killed at any step', async () => {
  const index = {
    owner: 'me',
    source: '4f9d0c3e-aaaa-4bbb-8ccc-1234567890ab',
    sourceBytes: songText('old').length,
    name: 'old.mp3',
    type: 'audio/mpeg',
    settings: { speed: 0.8, pitch: 2, reverbSize: 50, reverbAmount: 10, bassDb: 3 },
    bpm: 117,
    loop: { on: false, startS: 1.5, endS: 2 },
  }
  for (let steps = 0; steps < 40; steps++) {
    const browser = createSimulatedBrowser()
    browser.earlierDisk.set('project.json', JSON.stringify(index))
    browser.earlierDisk.set(index.source, songText('old'))
    await browser.openTab(createTab(steps)).load()
    const store = browser.openTab()
    const [summary, ...otherSummaries] = await store.library.list()
    expect(otherSummaries).toEqual([])
    expect(summary).toMatchObject({ title: 'old', bytes: index.sourceBytes })
    const project = await store.open(summary?.id ?? '')
    expect(project).toMatchObject({ file: { name: 'old.mp3' }, settings: index.settings, bpm: 117, loop: index.loop })
    expect(await project?.file.blob.text()).toBe(songText('old'))
    expect([...browser.earlierDisk.keys()]).toEqual([])
  }
})

test('projects: once a deletion can no longer be undone, no file of the deleted project is left', async () => {
  const browser = createSimulatedBrowser()
  const store = browser.openTab()
  await store.save(fileOf('a'), SETTINGS)
  await store.saveCover(Promise.resolve(new Blob(['picture'])))
  await store.clear()
  await store.dispose()
  browser.passTime(90_000)
  expect(await readLibrary(browser)).toEqual(new Map())
  expect([...browser.disk.keys()]).toEqual([])
})
