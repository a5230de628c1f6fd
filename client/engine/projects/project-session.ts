import type { EditHistory, LoopRange, MakerSettings, OpenProject, OutputOptions, SoundFile } from '../engine.ts'
import {
  attemptWork,
  createOpenedProject,
  createProject,
  deleteProject,
  lockProject,
  type NewCover,
  type OpenedProject,
  type ProjectChanges,
  type SessionState,
  saveChanges,
  saveTaggedCover,
} from './opened-project.ts'
import type { ProjectContext } from './project-context.ts'
import { createSongTitle } from './project-title.ts'

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
 * change is saved in a copy, also after the other tab has changed and closed the project. No method but `read` rejects, because the maker works
 * without storage too.
 */
export interface ProjectSession {
  /** Id of the open project. */
  readonly openId: string | undefined
  /** Whether the open project was deleted, so that its sound is to be unloaded. */
  readonly isOpenDeleted: boolean
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
  /**
   * Reads a project with its latest changes, without opening it; `undefined` if it does not exist or its song is incomplete. Rejects without a
   * private file system.
   */
  read(id: string): Promise<StoredProject | undefined>
  /** Reads the project that was opened last, without opening it. */
  readLast(): Promise<StoredProject | undefined>
  /** Opens a project that was read. From the call on, changes are saved in this project. Resolves when the tab has tried to lock it. */
  open(project: StoredProject): Promise<void>
  /**
   * Deletes the open project, so that no more changes are saved. Resolves with false, and changes nothing, if it is not stored, another tab has it
   * open or the deletion cannot be written.
   */
  deleteOpen(): Promise<boolean>
  /** Closes the open project, and deletes it as `deleteOpen` does. The deletion can be undone for a while. Resolves with whether it is deleted. */
  clear(): Promise<boolean>
  /** Closes the open project. */
  close(): Promise<void>
}

const SAVE_DELAY_MS = 300
/** Time between two attempts to store a new project after changes, because each attempt writes the whole song. */
const STORE_RETRY_MS = 10_000

/** @param onState called when another project was opened, and with the outcome of every save */
export function createProjectSession(context: ProjectContext, onState: (state: OpenProject) => void): ProjectSession {
  const session: SessionState = {
    context,
    opened: undefined,
    reportState: (saveProblem) => onState({ projectId: session.opened?.id, saveProblem }),
  }
  /** Settles when all earlier openings, saves and closings have ended. */
  let queue: Promise<unknown> = Promise.resolve()

  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const workPromise = queue.then(work)
    queue = workPromise.catch(() => {})
    return workPromise
  }

  function saveLater(newChanges: ProjectChanges) {
    const project = session.opened
    if (project === undefined) return
    project.unsaved = { ...project.unsaved, ...newChanges }
    project.saveTimer ??= setTimeout(() => void saveWhenDue(project), SAVE_DELAY_MS)
  }

  /** Saves the pending changes of a project, later if it is a new one that could not be stored just before. Closing it does not wait for that. */
  async function saveWhenDue(project: OpenedProject) {
    await project.storedPromise
    await enqueue(async () => {
      const { storeFailedAtMs = Number.NEGATIVE_INFINITY } = project
      const waitMs = STORE_RETRY_MS - Math.abs(context.nowMs() - storeFailedAtMs)
      if (waitMs <= 0 || (await project.storedPromise)) await saveChanges(session, project)
      else if (session.opened === project) project.saveTimer = setTimeout(() => void saveNow(project), waitMs)
    })
  }

  /** Saves the pending changes of a project. Other projects can be read until the song of a new project is stored. */
  async function saveNow(project: OpenedProject) {
    await project.storedPromise
    await enqueue(() => saveChanges(session, project))
  }

  /** Saves the pending changes of the open project, and closes it. */
  function closeProject(): Promise<void> {
    const project = session.opened
    session.opened = undefined
    return enqueue(async () => {
      if (project === undefined) return
      await saveChanges(session, project)
      project.isClosed = true
      project.release?.()
    })
  }

  async function readProject(projectId: string): Promise<StoredProject | undefined> {
    await enqueue(async () => session.opened?.id === projectId && saveChanges(session, session.opened))
    return readStoredProject(context, projectId)
  }

  // A new project for which there was no room is stored as soon as the files of deleted projects are removed, also by another tab.
  context.onSwept(() => {
    const project = session.opened
    void project?.storedPromise.then((isStored) => {
      if (!isStored) void saveNow(project)
    })
  })

  return {
    get openId() {
      return session.opened?.id
    },
    get isOpenDeleted() {
      return session.opened?.isClosed === true
    },
    async save({ blob, name }, settings, { title, artist, lengthS } = {}) {
      const previousProjectClosed = closeProject()
      const project = createOpenedProject({ settings })
      project.create = () =>
        createProject(session, project, {
          owner: context.ownerId,
          sound: blob,
          name,
          type: blob.type,
          title: createSongTitle(name, title),
          ...(artist !== undefined && { artist }),
          ...(lengthS !== undefined && { lengthS }),
          settings,
        })
      project.storedPromise = previousProjectClosed.then(project.create)
      session.opened = project
      session.reportState()
      return project.storedPromise
    },
    saveSettings: (settings, lengthS) => saveLater({ settings, ...(lengthS !== undefined && { lengthS }) }),
    saveBpm: (bpm) => saveLater({ bpm }),
    saveLength: (lengthS) => saveLater({ lengthS }),
    saveLoop: (loop) => saveLater({ loop }),
    saveHistory: (history) => saveLater({ history }),
    saveOutput: (output) => saveLater({ output }),
    replaceCover: (newCover) => saveLater({ newCover }),
    async saveCover(picture) {
      const project = session.opened
      const taggedCover = await picture
      if (project === undefined || taggedCover === undefined) return
      project.taggedCover = taggedCover
      if (await project.storedPromise) await enqueue(() => saveTaggedCover(context, project))
    },
    flush: async () => session.opened && saveNow(session.opened),
    read: readProject,
    readLast: () =>
      attemptWork(session, session.opened, async () => {
        await queue
        const id = await context.readLastOpened()
        return id === undefined ? undefined : readProject(id)
      }),
    async open(storedProject) {
      if (session.opened?.id !== storedProject.id) {
        void closeProject()
        session.opened = createOpenedProject(storedProject, storedProject.id)
      }
      const project = session.opened
      if (project.release === undefined || project.isOutdated) {
        project.edit = storedProject
        project.isOutdated = false
      }
      session.reportState()
      await enqueue(() =>
        attemptWork(session, project, async () => {
          await lockProject(context, project)
          if (session.opened === undefined || session.opened === project) await context.writeLastOpened(project.id)
        }),
      )
    },
    async deleteOpen() {
      const project = session.opened
      return project !== undefined && enqueue(() => deleteProject(session, project))
    },
    async clear() {
      const project = session.opened
      session.opened = undefined
      if (project === undefined) return false
      clearTimeout(project.saveTimer)
      return enqueue(async () => {
        const isDeleted = await deleteProject(session, project)
        await context.writeLastOpened(undefined).catch(() => {})
        project.isClosed = true
        project.release?.()
        return isDeleted
      })
    },
    close: closeProject,
  }
}

async function readStoredProject(context: ProjectContext, projectId: string): Promise<StoredProject | undefined> {
  const projectFiles = await context.openForReading()
  const projectRecord = await projectFiles.find(projectId)
  if (projectRecord === undefined || projectRecord.owner !== context.ownerId || projectRecord.deletedAtMs !== undefined) return undefined
  const soundBlob = await projectFiles.readSound(projectRecord)
  const { name, source, settings, bpm, loop, history, output, hasChosenCover } = projectRecord
  const chosenCover = hasChosenCover ? await projectFiles.readCover(projectRecord) : undefined
  return soundBlob && { id: projectId, source, file: { name, blob: soundBlob }, settings, bpm, loop, history, output, chosenCover }
}
