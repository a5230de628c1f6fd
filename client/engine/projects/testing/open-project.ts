import type { StoredProject } from '../project-session.ts'
import type { ProjectStore } from '../project-store.ts'

async function openWhenRead(store: ProjectStore, readPromise: Promise<StoredProject | undefined>): Promise<StoredProject | undefined> {
  const project = await readPromise
  if (project) await store.open(project)
  return project
}

/** Reads a project and opens it, as the engine does when the song is decoded. */
export const openProject = (store: ProjectStore, id: string): Promise<StoredProject | undefined> => openWhenRead(store, store.read(id))

/** Opens the project that was opened last. */
export const openLastProject = (store: ProjectStore): Promise<StoredProject | undefined> => openWhenRead(store, store.readLast())
