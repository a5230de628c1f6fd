import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTab, type SimulatedTab, TabKilledError } from './testing/memory-folder.ts'
import { openLastProject, openProject } from './testing/open-project.ts'
import { createSimulatedBrowser, type SimulatedBrowser } from './testing/simulated-browser.ts'

const SETTINGS = { speed: 1.25, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }

type TabProjectStore = ReturnType<SimulatedBrowser['openTab']>

/** The projects on the disk: song, name and speed of each project, by the project's id. */
type ProjectLibraryTexts = ReadonlyMap<string, string>

/** Opens a new tab and reads every project with its song. A project whose song is incomplete fails. */
async function readLibrary(browser: SimulatedBrowser): Promise<ProjectLibraryTexts> {
  const store = browser.openTab()
  const titleById = new Map<string, string>()
  for (const { id, title } of await store.library.list()) {
    const project = await store.read(id)
    const fileText = (await project?.file.blob.text()) ?? ''
    const [song = ''] = fileText.split(' ')
    expect(fileText, `${title} is whole`).toBe(createSongText(song))
    titleById.set(id, `${song}, ${title}, ${project?.settings.speed}`)
  }
  await store.dispose()
  return titleById
}

const createSongText = (song: string) => `${song} ${'sound '.repeat(20)}`
const createFile = (song: string) => ({ name: `${song}.mp3`, blob: new Blob([createSongText(song)], { type: 'audio/mpeg' }) })

type LibraryAction =
  | { kind: 'save'; songName: string }
  | { kind: 'settings'; speed: number }
  | { kind: 'open' | 'rename' | 'duplicate' | 'remove'; at: number }
  | { kind: 'clear' | 'undo' | 'wait' | 'reopen' }

const anyAction: fc.Arbitrary<LibraryAction> = fc.oneof(
  fc.record({ kind: fc.constant('save' as const), songName: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ kind: fc.constant('settings' as const), speed: fc.integer({ min: 1, max: 20 }).map((tenths) => tenths / 10) }),
  fc.record({ kind: fc.constantFrom('open' as const, 'rename' as const, 'duplicate' as const, 'remove' as const), at: fc.nat(5) }),
  fc.record({ kind: fc.constantFrom('clear' as const, 'undo' as const, 'wait' as const, 'reopen' as const) }),
)

interface TabUser {
  store: TabProjectStore
  removedProjectId: string | undefined
}

async function performAction(browser: SimulatedBrowser, person: TabUser, tab: SimulatedTab, action: LibraryAction): Promise<void> {
  const { store } = person
  const projectIds = (await store.library.list()).map(({ id }) => id).toSorted()
  const projectId = 'at' in action ? projectIds[action.at % Math.max(1, projectIds.length)] : undefined
  if (action.kind === 'save') await store.save(createFile(action.songName), SETTINGS)
  else if (action.kind === 'settings') {
    store.saveSettings({ ...SETTINGS, speed: action.speed })
    await store.flush()
  } else if (action.kind === 'clear') {
    person.removedProjectId = store.openId
    await store.clear()
  } else if (action.kind === 'undo') {
    if (person.removedProjectId !== undefined) await store.library.restore(person.removedProjectId)
    person.removedProjectId = undefined
  } else if (action.kind === 'wait') browser.passTime(90_000)
  else if (action.kind === 'reopen') {
    await store.dispose()
    person.store = browser.openTab(tab)
    await openLastProject(person.store)
  } else if (projectId !== undefined) {
    if (action.kind === 'open') await openProject(store, projectId)
    else if (action.kind === 'rename') await store.library.rename(projectId, `name ${action.at}`)
    else if (action.kind === 'duplicate') await store.library.duplicate(projectId)
    else if (store.openId !== projectId) {
      person.removedProjectId = projectId
      await store.library.remove(projectId)
    }
  }
}

const isTabDead = (tab: SimulatedTab) => tab.stepsUntilKilled <= 0

/** Checks that an action that was interrupted has changed, added or removed at most one project. */
function expectWholeLibrary(libraryBefore: ProjectLibraryTexts, libraryAfter: ProjectLibraryTexts, { kind }: LibraryAction) {
  const changedProjectIds = [...libraryBefore].filter(([id, project]) => libraryAfter.has(id) && libraryAfter.get(id) !== project)
  const lostProjectIds = [...libraryBefore.keys()].filter((id) => !libraryAfter.has(id))
  const addedProjectIds = [...libraryAfter.keys()].filter((id) => !libraryBefore.has(id))
  expect(changedProjectIds.length).toBeLessThanOrEqual(kind === 'settings' || kind === 'rename' ? 1 : 0)
  expect(lostProjectIds.length).toBeLessThanOrEqual(kind === 'remove' || kind === 'clear' ? 1 : 0)
  expect(addedProjectIds.length).toBeLessThanOrEqual(kind === 'save' || kind === 'duplicate' || kind === 'undo' ? 1 : 0)
}

const FAST_CHECK_OPTIONS = { numRuns: 40 }
const anyActions = fc.array(anyAction, { minLength: 1, maxLength: 12 })

test('projects: if the tab is killed at any step, every project is complete, in its state before or after the action', async () => {
  await fc.assert(
    fc.asyncProperty(anyActions, fc.nat(300), async (actions, stepCount) => {
      const browser = createSimulatedBrowser()
      const faultyTab = createTab(stepCount)
      const tabUser: TabUser = { store: browser.openTab(faultyTab), removedProjectId: undefined }
      let libraryBefore: ProjectLibraryTexts = new Map()
      for (const userAction of actions) {
        await performAction(browser, tabUser, faultyTab, userAction).catch((error: unknown) => {
          if (!(error instanceof TabKilledError)) throw error
        })
        const after = await readLibrary(browser)
        if (isTabDead(faultyTab)) return expectWholeLibrary(libraryBefore, after, userAction)
        libraryBefore = after
      }
    }),
    FAST_CHECK_OPTIONS,
  )
})

test('projects: if the disk is full at any step, no saved data is lost, and the next action works', async () => {
  await fc.assert(
    fc.asyncProperty(anyActions, fc.nat(200), async (actions, stepsUntilDiskFull) => {
      const browser = createSimulatedBrowser()
      const fullTab = createTab(undefined, stepsUntilDiskFull)
      const tabUser: TabUser = { store: browser.openTab(fullTab), removedProjectId: undefined }
      let libraryBefore: ProjectLibraryTexts = new Map()
      for (const userAction of actions) {
        await performAction(browser, tabUser, fullTab, userAction)
        const after = await readLibrary(browser)
        expectWholeLibrary(libraryBefore, after, userAction)
        libraryBefore = after
      }
      await tabUser.store.save(createFile('last'), SETTINGS)
      expect([...(await readLibrary(browser)).values()]).toContain('last, last, 1.25')
    }),
    FAST_CHECK_OPTIONS,
  )
})

/** The playback rate of each project, which is its speed in these tests. */
async function readSpeeds(observer: TabProjectStore): Promise<ReadonlyMap<string, number>> {
  return new Map((await observer.library.list()).map(({ id, rate }) => [id, rate]))
}

test('projects: of two tabs, none replaces what the other has saved and it has not read: each edit is saved in its project or in a copy', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ tab: fc.nat(1), action: anyAction }), { minLength: 6, maxLength: 16 }), async (actions) => {
      const browser = createSimulatedBrowser()
      const observer = browser.openTab()
      const ownTabs = [createTab(), createTab()]
      const tabUsers = ownTabs.map((tab): TabUser => ({ store: browser.openTab(tab), removedProjectId: undefined }))
      // Both tabs have the same project open.
      await tabUsers[0]?.store.save(createFile('a'), SETTINGS)
      if (tabUsers[1]) await openLastProject(tabUsers[1].store)
      /** The project that each tab shows, and its speed as the tab has read or saved it. */
      const shownByTab = tabUsers.map(({ store }) => ({ id: store.openId, speed: SETTINGS.speed }))
      for (const { tab, action } of actions) {
        const tabUser = tabUsers[tab]
        const ownTab = ownTabs[tab]
        const shown = shownByTab[tab]
        if (tabUser === undefined || ownTab === undefined || shown === undefined) continue
        const speedsBefore = await readSpeeds(observer)
        await performAction(browser, tabUser, ownTab, action)
        const speeds = await readSpeeds(observer)
        const { openId } = tabUser.store
        const canReplace = (id: string, speed: number) => action.kind === 'settings' && id === shown.id && speed === shown.speed
        for (const [id, speed] of speedsBefore)
          if (speeds.has(id) && !canReplace(id, speed)) expect(speeds.get(id), `${action.kind} in tab ${tab}`).toBe(speed)
        if (action.kind === 'settings' && openId !== undefined && speeds.has(openId)) {
          expect(speeds.get(openId)).toBe(action.speed)
          shownByTab[tab] = { id: openId, speed: action.speed }
        } else if (openId !== shown.id || action.kind === 'open' || action.kind === 'reopen')
          shownByTab[tab] = { id: openId, speed: speeds.get(openId ?? '') ?? SETTINGS.speed }
      }
    }),
    { numRuns: 150 },
  )
})

test('projects: the project of an earlier version is adopted with its settings, also by a page that is killed at any step', async () => {
  const earlierIndex = {
    owner: 'me',
    source: '4f9d0c3e-aaaa-4bbb-8ccc-1234567890ab',
    sourceBytes: createSongText('old').length,
    name: 'old.mp3',
    type: 'audio/mpeg',
    settings: { speed: 0.8, pitch: 2, reverbSize: 50, reverbAmount: 10, bassDb: 3 },
    bpm: 117,
    loop: { on: false, startS: 1.5, endS: 2 },
  }
  for (let stepCount = 0; stepCount < 40; stepCount++) {
    const browser = createSimulatedBrowser()
    browser.earlierDisk.set('project.json', JSON.stringify(earlierIndex))
    browser.earlierDisk.set(earlierIndex.source, createSongText('old'))
    await openLastProject(browser.openTab(createTab(stepCount)))
    const store = browser.openTab()
    const [projectSummary, ...otherSummaries] = await store.library.list()
    expect(otherSummaries).toEqual([])
    expect(projectSummary).toMatchObject({ title: 'old', bytes: earlierIndex.sourceBytes })
    const project = await store.read(projectSummary?.id ?? '')
    expect(project).toMatchObject({ file: { name: 'old.mp3' }, settings: earlierIndex.settings, bpm: 117, loop: earlierIndex.loop })
    expect(await project?.file.blob.text()).toBe(createSongText('old'))
    expect([...browser.earlierDisk.keys()]).toEqual([])
  }
})

test('projects: once a deletion can no longer be undone, no file of the deleted project is left', async () => {
  const browser = createSimulatedBrowser()
  const store = browser.openTab()
  await store.save(createFile('a'), SETTINGS)
  await store.saveCover(Promise.resolve(new Blob(['picture'])))
  await store.clear()
  await store.dispose()
  browser.passTime(90_000)
  expect(await readLibrary(browser)).toEqual(new Map())
  expect([...browser.disk.keys()]).toEqual([])
})
