import { createEmitter } from '../../primitives/emitter.ts'
import { loadOnce } from '../../primitives/single-flight.ts'
import { EARLIER_PROJECT_FOLDER, PROJECT_FOLDER } from '../engine.ts'
import { isOutOfSpaceError } from '../out-of-space-error.ts'
import { adoptEarlierProject } from './earlier-project.ts'
import { createProjectFiles, type ProjectFiles, UNDO_OFFERED_MS } from './project-files.ts'
import { openPrivateFolder, type ProjectFolder } from './project-folder.ts'
import { browserProjectLocks, type ProjectLocks } from './project-locks.ts'

/** The facilities that a project store uses: folders, locks and storage. By default they are the browser's. */
export interface ProjectStoreDeps {
  /** Id of the account whose projects are shown. */
  readonly ownerId?: string
  readonly openFolder?: () => Promise<ProjectFolder>
  /** Opens the folder in which earlier versions of the maker saved a project. */
  readonly openEarlierFolder?: () => Promise<ProjectFolder>
  readonly locks?: ProjectLocks
  readonly nowMs?: () => number
  /** Removes files that can be rendered again. Called when there is no storage space for a project. */
  readonly freeSpace?: () => Promise<void>
}

/** The files, locks and notifications that the parts of a store share. */
export interface ProjectContext {
  readonly ownerId: string
  readonly locks: ProjectLocks
  readonly nowMs: () => number
  /**
   * Runs `work` on the files while no other tab writes. If storage is full, frees space and runs `work` once more. Rejects with the error
   * of `work`.
   */
  writeExclusively<T>(work: (files: ProjectFiles) => Promise<T>): Promise<T>
  /** Returns the files for reading. Rejects without a private file system. */
  openForReading(): Promise<ProjectFiles>
  /** Reports a change of the projects to this tab and to others. */
  announceChange(): void
  /** Removes the files of deleted projects once the deletion can no longer be undone, and reports that to the listeners of `onSwept`. */
  scheduleSweep(): void
  /** Calls `listener` after each change, also of other tabs. Returns the function that unsubscribes it. */
  readonly onChange: (listener: () => void) => () => void
  /** Calls `listener` after files of deleted projects were removed, also by another tab. Returns the function that unsubscribes it. */
  readonly onSwept: (listener: () => void) => () => void
  /** Id of the project that was opened last, which a reload opens again. */
  readLastOpened(): Promise<string | undefined>
  writeLastOpened(id: string | undefined): Promise<void>
  /** Stops the timer that removes files of deleted projects, and ignores later changes of other tabs. */
  close(): void
}

const CHANNEL_NAME = 'varispeed.projects'
/** The messages of the channel. Tabs of earlier versions take each of them for a change. */
type TabMessage = 'changed' | 'swept'
const LAST_OPENED_FILE_NAME = 'last-opened'

export function createProjectContext({
  ownerId = '',
  openFolder = () => openPrivateFolder(PROJECT_FOLDER),
  openEarlierFolder = () => openPrivateFolder(EARLIER_PROJECT_FOLDER),
  locks = browserProjectLocks,
  nowMs = Date.now,
  freeSpace = async () => {},
}: ProjectStoreDeps): ProjectContext {
  let sweepTimer: ReturnType<typeof setTimeout> | undefined
  const changeEmitter = createEmitter()
  const sweepEmitter = createEmitter()
  const emitMessage = (message: TabMessage) => (message === 'swept' ? sweepEmitter : changeEmitter).emit()
  let tabChannel = openChannel(emitMessage)

  function announce(message: TabMessage) {
    emitMessage(message)
    tabChannel?.postMessage(message)
  }

  /** Opens the folder, adopts the project that an earlier version saved, and removes files that crashes have left. */
  const openFiles = loadOnce(async () => {
    const projectFolder = await openFolder()
    const projectFiles = createProjectFiles(projectFolder, LAST_OPENED_FILE_NAME)
    await locks.runExclusively(async () => {
      // If there is no room for a copy, the earlier project stays in its folder until the next visit.
      const adoptedId = await openEarlierFolder()
        .then((earlier) => adoptEarlierProject(earlier, projectFiles, projectFolder, nowMs()))
        .catch(() => undefined)
      if (adoptedId !== undefined) await projectFolder.write(LAST_OPENED_FILE_NAME, adoptedId).catch(() => {})
      await projectFiles.sweep(nowMs())
    })
    return { folder: projectFolder, files: projectFiles }
  })

  return {
    ownerId,
    locks,
    nowMs,
    async writeExclusively(runWrite) {
      const { files } = await openFiles()
      return locks.runExclusively(() =>
        runWrite(files).catch(async (error: unknown) => {
          if (!isOutOfSpaceError(error)) throw error
          await freeSpace()
          await files.sweep(nowMs())
          return runWrite(files)
        }),
      )
    },
    openForReading: async () => (await openFiles()).files,
    announceChange: () => announce('changed'),
    scheduleSweep() {
      async function sweepFiles() {
        await locks.runExclusively(async () => (await openFiles()).files.sweep(nowMs()))
        announce('swept')
      }
      // If the removal fails, the next visit removes the files.
      clearTimeout(sweepTimer)
      sweepTimer = setTimeout(() => void sweepFiles().catch(() => {}), UNDO_OFFERED_MS + 1000)
    },
    onChange: changeEmitter.subscribe,
    onSwept: sweepEmitter.subscribe,
    async readLastOpened() {
      const { folder } = await openFiles()
      return folder.read(LAST_OPENED_FILE_NAME).then(
        (file) => file.text(),
        () => undefined,
      )
    },
    async writeLastOpened(projectId) {
      const { folder } = await openFiles()
      await (projectId === undefined ? folder.remove(LAST_OPENED_FILE_NAME) : folder.write(LAST_OPENED_FILE_NAME, projectId)).catch(
        () => {},
      )
    },
    close() {
      clearTimeout(sweepTimer)
      tabChannel?.close()
      tabChannel = undefined
    },
  }
}

/** Opens the channel on which the tabs report changes and sweeps; `undefined` in a browser that refuses it. */
function openChannel(onMessage: (message: TabMessage) => void): BroadcastChannel | undefined {
  try {
    const channel = new BroadcastChannel(CHANNEL_NAME)
    channel.onmessage = ({ data }: MessageEvent<TabMessage>) => onMessage(data)
    return channel
  } catch {
    return undefined
  }
}
