import { createUniqueId } from '../../primitives/unique-id.ts'
import type { EditHistory, LoopRange, MakerSettings, OpenProject, OutputOptions, SoundFile } from '../engine.ts'
import { isOutOfSpaceError } from '../out-of-space-error.ts'
import type { ProjectContext } from './project-context.ts'
import type { ProjectRecord } from './project-record.ts'
import { createCopyTitle, createSongTitle } from './project-title.ts'

export interface Project {
  readonly file: SoundFile
  /** The saved settings. Settings that were introduced after the save are missing. */
  readonly settings: Partial<MakerSettings>
  readonly bpm: number | undefined
  /** The saved loop; `undefined` if none was set. */
  readonly loop: LoopRange | undefined
  /** The saved edit history; `undefined` if none was saved. */
  readonly history?: EditHistory | undefined
  /** The saved tags, names and level; `undefined` if none were saved. */
  readonly output?: OutputOptions | undefined
  /** The cover that the person has chosen; `undefined` for the one in the tags of the song. */
  readonly chosenCover?: Blob | undefined
}

/** A project as it is saved. */
export interface StoredProject extends Project {
  readonly id: string
  /** Identifies the bytes of the song. */
  readonly source: string
}

/** The properties of a sound that are saved with its project. */
export interface SavedSoundDetails {
  readonly title?: string | undefined
  readonly artist?: string | undefined
  /** The length of the edited sound in seconds. */
  readonly lengthS?: number | undefined
}

/**
 * The project that this tab has open. The tab holds a Web Lock for it. A project that is open in another tab can be opened too, but then the first
 * change is saved in a copy. No method rejects, because the maker works without storage too.
 */
export interface ProjectSession {
  /** Id of the open project. */
  readonly openId: string | undefined
  /** Saves a new project and opens it. Returns false if storage is full or unavailable. */
  save(file: SoundFile, settings: MakerSettings, facts?: SavedSoundDetails): Promise<boolean>
  /** Saves the settings after a delay. */
  saveSettings(settings: MakerSettings, lengthS?: number): void
  saveBpm(bpm: number): void
  /** Saves the length of the edited sound in seconds. */
  saveLength(lengthS: number): void
  saveLoop(loop: LoopRange): void
  saveHistory(history: EditHistory): void
  saveOutput(output: OutputOptions): void
  /** Saves the cover in the song's tags as the cover of the project, unless the project already has a cover. */
  saveCover(picture: Promise<Blob | undefined>): Promise<void>
  /** Saves another cover: one that the person has chosen, or the one in the tags of the song. */
  replaceCover(cover: NewCover): void
  /** Saves pending changes now. */
  flush(): Promise<void>
  /** Opens a project; `undefined` if it does not exist or its song is incomplete. */
  open(id: string): Promise<Project | undefined>
  /** Reads a project with its latest changes, without opening it. Rejects without a private file system. */
  read(id: string): Promise<StoredProject | undefined>
  /** Opens the project that was opened last. */
  load(): Promise<Project | undefined>
  /** Closes and deletes the open project. The deletion can be undone for a while. */
  clear(): Promise<void>
  /** Closes the open project. */
  close(): Promise<void>
}

const SAVE_DELAY_MS = 300

interface NewCover {
  readonly picture: Blob | undefined
  readonly isCoverChosen: boolean
}

type ProjectChanges = Partial<Pick<ProjectRecord, 'settings' | 'bpm' | 'loop' | 'history' | 'output' | 'lengthS' | 'changedAtMs'>> & {
  readonly newCover?: NewCover
}

interface OpenedProject {
  id: string
  /** Releases the lock of the project; `undefined` while another tab has the project. */
  release: (() => void) | undefined
  /** Resolves with whether the project is stored. */
  storedPromise: Promise<boolean>
  unsaved: ProjectChanges
}

/** @param onState called when another project was opened, and with the outcome of every save */
export function createProjectSession(context: ProjectContext, onState: (state: OpenProject) => void): ProjectSession {
  let opened: OpenedProject | undefined
  let saveTimer: ReturnType<typeof setTimeout> | undefined
  /** Settles when the project that was open before is saved and released. */
  let closePromise = Promise.resolve()

  const reportState = (saveProblem?: OpenProject['saveProblem']) => onState({ projectId: opened?.id, saveProblem })

  /** Runs `work`, and reports its success or failure to `onState`. */
  async function attemptWork<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work()
      reportState()
      return result
    } catch (error) {
      reportState(isOutOfSpaceError(error) ? 'no-room' : 'no-storage')
      return undefined
    }
  }

  function saveLater(newChanges: ProjectChanges) {
    if (opened === undefined) return
    opened.unsaved = { ...opened.unsaved, ...newChanges }
    const project = opened
    saveTimer ??= setTimeout(() => void saveChanges(project), SAVE_DELAY_MS)
  }

  async function saveChanges(project: OpenedProject) {
    clearTimeout(saveTimer)
    saveTimer = undefined
    const pendingChangeNames = Object.keys(project.unsaved)
    const areEditsPending = pendingChangeNames.some((name) => name !== 'bpm' && name !== 'lengthS')
    // If only the tempo or the length has changed, no copy is made of a project that another tab has open.
    if (pendingChangeNames.length === 0 || !(areEditsPending || project.release) || !(await project.storedPromise)) return
    const pendingChanges = project.unsaved
    project.unsaved = {}
    const datedChanges = areEditsPending ? { ...pendingChanges, changedAtMs: context.nowMs() } : pendingChanges
    const isProjectSaved = await attemptWork(async () => {
      const { id } = project
      await saveInProjectOrCopy(context, project, datedChanges)
      if (project === opened && project.id !== id) await context.writeLastOpened(project.id)
      return true
    })
    // Changes that could not be saved are saved with the next change.
    if (isProjectSaved === undefined) project.unsaved = { ...pendingChanges, ...project.unsaved }
    else context.announceChange()
  }

  /** Saves the pending changes of the open project, and closes it. */
  function closeProject(): Promise<void> {
    const openedProject = opened
    opened = undefined
    if (openedProject !== undefined)
      closePromise = closePromise.then(async () => {
        await openedProject.storedPromise
        await saveChanges(openedProject)
        openedProject.release?.()
      })
    return closePromise
  }

  const readProject = (id: string) => (opened?.id === id ? saveChanges(opened) : closePromise).then(() => readStoredProject(context, id))

  async function openProject(projectId: string): Promise<Project | undefined> {
    const project = await readProject(projectId)
    if (project === undefined) return undefined
    if (opened?.id !== projectId) {
      await closeProject()
      const release = await context.locks.takeProjectLock(projectId)
      opened = { id: projectId, release, storedPromise: Promise.resolve(true), unsaved: {} }
    }
    await context.writeLastOpened(projectId)
    return project
  }

  return {
    get openId() {
      return opened?.id
    },
    async save(sourceFile, settings, { title, artist, lengthS } = {}) {
      const newProjectId = createUniqueId()
      const previousClosePromise = closeProject()
      const creationPromise = attemptWork(async () => {
        await previousClosePromise
        project.release = await context.locks.takeProjectLock(newProjectId)
        await context.writeExclusively((projectFiles) =>
          projectFiles.create({
            id: newProjectId,
            owner: context.ownerId,
            sound: sourceFile.blob,
            name: sourceFile.name,
            type: sourceFile.blob.type,
            title: createSongTitle(sourceFile.name, title),
            ...(artist !== undefined && { artist }),
            ...(lengthS !== undefined && { lengthS }),
            settings,
            changedAtMs: context.nowMs(),
          }),
        )
        if (opened === undefined || opened === project) await context.writeLastOpened(newProjectId)
        return true
      })
      const storedPromise = creationPromise.then((stored) => stored === true)
      const project: OpenedProject = { id: newProjectId, release: undefined, storedPromise, unsaved: {} }
      opened = project
      if (await storedPromise) context.announceChange()
      return storedPromise
    },
    saveSettings: (settings, lengthS) => saveLater({ settings, ...(lengthS !== undefined && { lengthS }) }),
    saveBpm: (bpm) => saveLater({ bpm }),
    saveLength: (lengthS) => saveLater({ lengthS }),
    saveLoop: (loop) => saveLater({ loop }),
    saveHistory: (history) => saveLater({ history }),
    saveOutput: (output) => saveLater({ output }),
    replaceCover: (newCover) => saveLater({ newCover }),
    async saveCover(picture) {
      const project = opened
      const coverPicture = await picture
      if (project === undefined || coverPicture === undefined || !(await project.storedPromise) || project.release === undefined) return
      // A failure to save the cover is ignored, because a project does not need a cover.
      await saveFirstCover(context, project.id, coverPicture).then(context.announceChange, () => {})
    },
    flush: async () => opened && saveChanges(opened),
    open: (id) => attemptWork(() => openProject(id)),
    read: readProject,
    load: () =>
      attemptWork(async () => {
        await closePromise
        const id = await context.readLastOpened()
        return id === undefined ? undefined : openProject(id)
      }),
    async clear() {
      const openedProject = opened
      opened = undefined
      clearTimeout(saveTimer)
      saveTimer = undefined
      if (openedProject === undefined) return
      await attemptWork(async () => {
        const isStored = await openedProject.storedPromise
        await context.writeLastOpened(undefined)
        // A project that another tab has open is closed but not deleted.
        if (isStored && openedProject.release !== undefined) await markDeleted(context, openedProject.id)
      })
      openedProject.release?.()
      reportState()
      context.scheduleSweep()
      context.announceChange()
    },
    close: closeProject,
  }
}

const markDeleted = (context: ProjectContext, projectId: string) =>
  context.writeExclusively((files) => files.change(projectId, (record) => ({ ...record, deletedAtMs: context.nowMs() })))

async function readStoredProject(context: ProjectContext, projectId: string): Promise<StoredProject | undefined> {
  const projectFiles = await context.openForReading()
  const projectRecord = await projectFiles.find(projectId)
  if (projectRecord === undefined || projectRecord.owner !== context.ownerId || projectRecord.deletedAtMs !== undefined) return undefined
  const soundBlob = await projectFiles.readSound(projectRecord)
  const { name, source, settings, bpm, loop, history, output, hasChosenCover } = projectRecord
  const chosenCover = hasChosenCover ? await projectFiles.readCover(projectRecord) : undefined
  return soundBlob && { id: projectId, source, file: { name, blob: soundBlob }, settings, bpm, loop, history, output, chosenCover }
}

/** Saves a picture as the cover of a project without one. */
const saveFirstCover = (context: ProjectContext, projectId: string, picture: Blob): Promise<void> =>
  context.writeExclusively(async (projectFiles) => {
    if ((await projectFiles.find(projectId))?.cover !== undefined) return
    const cover = await projectFiles.writeCover(picture)
    await projectFiles.change(projectId, (record) => ({ ...record, cover }))
  })

/**
 * Saves changes in the project if this tab has or gets its lock, else in a copy. A project that another tab has deleted is copied, too. Rejects if
 * the project does not exist any more.
 */
async function saveInProjectOrCopy(
  context: ProjectContext,
  project: OpenedProject,
  { newCover, ...changes }: ProjectChanges,
): Promise<void> {
  project.release ??= await context.locks.takeProjectLock(project.id)
  const hasProjectLock = project.release !== undefined
  const savedRecord = await context.writeExclusively(async (projectFiles) => {
    const { deletedAtMs } = (await projectFiles.find(project.id)) ?? {}
    const recordChanges = newCover
      ? { ...changes, cover: newCover.picture && (await projectFiles.writeCover(newCover.picture)), hasChosenCover: newCover.isCoverChosen }
      : changes
    if (hasProjectLock && deletedAtMs === undefined) return projectFiles.change(project.id, (record) => ({ ...record, ...recordChanges }))
    return projectFiles.duplicate(project.id, ({ deletedAtMs: _, ...storedRecord }) => ({
      ...storedRecord,
      ...recordChanges,
      title: createCopyTitle(storedRecord.title),
    }))
  })
  if (savedRecord === undefined) throw new DOMException('The project was removed.', 'NotFoundError')
  if (savedRecord.id === project.id) return
  project.release?.()
  project.id = savedRecord.id
  project.release = await context.locks.takeProjectLock(savedRecord.id)
}
