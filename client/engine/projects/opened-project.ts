import { createUniqueId } from '../../primitives/unique-id.ts'
import type { EditHistory, LoopRange, MakerSettings, OpenProject, OutputOptions } from '../engine.ts'
import { isOutOfSpaceError } from '../out-of-space-error.ts'
import type { ProjectContext } from './project-context.ts'
import type { NewProject } from './project-files.ts'
import type { ProjectRecord } from './project-record.ts'
import { createCopyTitle } from './project-title.ts'

export interface NewCover {
  readonly picture: Blob | undefined
  readonly isCoverChosen: boolean
}

export type ProjectChanges = Partial<
  Pick<ProjectRecord, 'settings' | 'bpm' | 'loop' | 'history' | 'output' | 'lengthS' | 'changedAtMs'>
> & {
  readonly newCover?: NewCover
}

/** The part of a project that two tabs can show in different states. */
interface SavedEdit {
  readonly settings: Partial<MakerSettings>
  readonly loop?: LoopRange | undefined
  readonly history?: EditHistory | undefined
  readonly output?: OutputOptions | undefined
}

/** A project that this tab has opened. */
export interface OpenedProject {
  id: string
  /** The edit as this tab has read or saved it last. */
  edit: SavedEdit
  /** Releases the lock of the project; `undefined` while another tab has the project. */
  release: (() => void) | undefined
  /** Whether another tab has saved a different edit after this tab had read the project. */
  isOutdated: boolean
  /** Whether the project was closed or deleted, so that nothing more is saved. */
  isClosed: boolean
  /** Saves a new project; `undefined` for a project that was read. Resolves with whether the project is stored. */
  create?: () => Promise<boolean>
  /** Resolves with whether the project is stored. */
  storedPromise: Promise<boolean>
  /** When a new project could not be stored last. */
  storeFailedAtMs?: number
  /** The cover in the song's tags. */
  taggedCover?: Blob
  unsaved: ProjectChanges
  saveTimer?: ReturnType<typeof setTimeout> | undefined
}

/** Which project is open, for the functions that save one. */
export interface SessionState {
  readonly context: ProjectContext
  opened: OpenedProject | undefined
  reportState(saveProblem?: OpenProject['saveProblem']): void
}

export const createOpenedProject = (edit: SavedEdit, id = createUniqueId()): OpenedProject => ({
  id,
  edit,
  release: undefined,
  isOutdated: false,
  isClosed: false,
  storedPromise: Promise.resolve(true),
  unsaved: {},
})

/** Runs `work` for a project, and reports its success or failure unless another project is open by then. */
export async function attemptWork<T>(
  session: SessionState,
  project: OpenedProject | undefined,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const reportOutcome = (saveProblem?: OpenProject['saveProblem']) => {
    if (session.opened === undefined || session.opened === project) session.reportState(saveProblem)
  }
  try {
    const result = await work()
    reportOutcome()
    return result
  } catch (error) {
    reportOutcome(isOutOfSpaceError(error) ? 'no-room' : 'no-storage')
    return undefined
  }
}

/** Stores a new project, whose song then is the project of the next visit. Resolves with whether it is stored. */
export async function createProject(
  session: SessionState,
  project: OpenedProject,
  newProject: Omit<NewProject, 'id' | 'changedAtMs'>,
): Promise<boolean> {
  const { context } = session
  const isStored = await attemptWork(session, project, async () => {
    project.release ??= await context.locks.takeProjectLock(project.id)
    await context.writeExclusively((files) => files.create({ ...newProject, id: project.id, changedAtMs: context.nowMs() }))
    if (session.opened === undefined || session.opened === project) await context.writeLastOpened(project.id)
    return true
  })
  if (isStored === undefined) {
    project.storeFailedAtMs = context.nowMs()
    return false
  }
  context.announceChange()
  await saveTaggedCover(context, project)
  return true
}

/** Saves the cover in the song's tags, unless the project has a cover or another tab has the project. */
export async function saveTaggedCover(context: ProjectContext, { id, release, taggedCover }: OpenedProject): Promise<void> {
  if (taggedCover === undefined || release === undefined) return
  const coverSaved = context.writeExclusively(async (projectFiles) => {
    if ((await projectFiles.find(id))?.cover !== undefined) return
    const cover = await projectFiles.writeCover(taggedCover)
    await projectFiles.change(id, (record) => ({ ...record, cover }))
  })
  // A failure to save the cover is ignored, because a project does not need a cover.
  await coverSaved.then(context.announceChange, () => {})
}

/** Takes the lock of a project, unless this tab or another one has it. */
export async function lockProject(context: ProjectContext, project: OpenedProject): Promise<void> {
  if (project.release !== undefined) return
  project.release = await context.locks.takeProjectLock(project.id)
  if (project.release === undefined) return
  project.isOutdated = true
  const record = await (await context.openForReading()).find(project.id)
  project.isOutdated = record !== undefined && !isSameEdit(record, project.edit)
}

/** Compares the edits only: the title, the tempo and the cover may differ, because saving an edit does not replace them. */
function isSameEdit(edit: SavedEdit, otherEdit: SavedEdit): boolean {
  const [text, otherText] = [edit, otherEdit].map(({ settings, loop, history, output }) =>
    JSON.stringify([settings, loop, history, output]),
  )
  return text === otherText
}

/**
 * Saves the pending changes of a project. A new project that could not be stored is stored first, because there may be room for it by now. Calls
 * for the same project must not overlap.
 */
export async function saveChanges(session: SessionState, project: OpenedProject): Promise<void> {
  const { context } = session
  clearTimeout(project.saveTimer)
  project.saveTimer = undefined
  if (project.isClosed) return
  if (!(await project.storedPromise) && project.create) project.storedPromise = project.create()
  if (!(await project.storedPromise)) return
  const pendingChanges = project.unsaved
  const pendingChangeNames = Object.keys(pendingChanges)
  const areEditsPending = pendingChangeNames.some((name) => name !== 'bpm' && name !== 'lengthS')
  // If only the tempo or the length has changed, no copy is made.
  const isSaveDue = areEditsPending || (project.release !== undefined && !project.isOutdated)
  if (pendingChangeNames.length === 0 || !isSaveDue) return
  project.unsaved = {}
  const datedChanges = areEditsPending ? { ...pendingChanges, changedAtMs: context.nowMs() } : pendingChanges
  const isProjectSaved = await attemptWork(session, project, async () => {
    const { id } = project
    await saveInProjectOrCopy(context, project, datedChanges)
    if (project === session.opened && project.id !== id) await context.writeLastOpened(project.id)
    return true
  })
  // Changes that could not be saved are saved with the next change.
  if (isProjectSaved === undefined) project.unsaved = { ...pendingChanges, ...project.unsaved }
  else context.announceChange()
}

/**
 * Saves changes in the project if this tab has or gets its lock and shows its latest edit, else in a copy. A project that another tab has deleted
 * is copied, too. Rejects if the project does not exist any more.
 */
async function saveInProjectOrCopy(
  context: ProjectContext,
  project: OpenedProject,
  { newCover, ...changes }: ProjectChanges,
): Promise<void> {
  await lockProject(context, project)
  const isLatestEdit = project.release !== undefined && !project.isOutdated
  const savedRecord = await context.writeExclusively(async (projectFiles) => {
    const { deletedAtMs } = (await projectFiles.find(project.id)) ?? {}
    const recordChanges = newCover
      ? { ...changes, cover: newCover.picture && (await projectFiles.writeCover(newCover.picture)), hasChosenCover: newCover.isCoverChosen }
      : changes
    if (isLatestEdit && deletedAtMs === undefined) return projectFiles.change(project.id, (record) => ({ ...record, ...recordChanges }))
    return projectFiles.duplicate(project.id, (record) => ({
      ...replaceEdit(record, project.edit),
      ...recordChanges,
      title: createCopyTitle(record.title),
    }))
  })
  if (savedRecord === undefined) throw new DOMException('The project was removed.', 'NotFoundError')
  project.edit = savedRecord
  if (savedRecord.id === project.id) return
  project.release?.()
  project.id = savedRecord.id
  project.release = await context.locks.takeProjectLock(savedRecord.id)
  project.isOutdated = false
}

/** Returns the record of a project with the edit that this tab shows. */
function replaceEdit(record: ProjectRecord, { settings, loop, history, output }: SavedEdit): ProjectRecord {
  const { deletedAtMs: _deletedAtMs, loop: _loop, history: _history, output: _output, ...otherData } = record
  return { ...otherData, settings, ...(loop && { loop }), ...(history && { history }), ...(output && { output }) }
}

/**
 * Marks a project as deleted, and has its files removed later. Resolves with false if it is not stored, another tab has it open or the mark cannot be written. Calls for the same
 * project must not overlap.
 */
export async function deleteProject(session: SessionState, project: OpenedProject): Promise<boolean> {
  const { context } = session
  const deletedRecord = await attemptWork(session, project, async () => {
    if (!(await project.storedPromise)) return undefined
    await lockProject(context, project)
    if (project.release === undefined) return undefined
    return context.writeExclusively((files) => files.change(project.id, (record) => ({ ...record, deletedAtMs: context.nowMs() })))
  })
  if (deletedRecord === undefined) return false
  project.isClosed = true
  context.scheduleSweep()
  context.announceChange()
  return true
}
