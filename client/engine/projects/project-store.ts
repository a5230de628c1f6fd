import { createEmitter } from '../../primitives/emitter.ts'
import type { OpenProject, ProjectLibrary } from '../engine.ts'
import { createProjectContext, type ProjectStoreDeps } from './project-context.ts'
import { createProjectLibrary } from './project-library.ts'
import { createProjectSession, type ProjectSession } from './project-session.ts'

export interface ProjectStore extends ProjectSession {
  /** All projects of the account, the open one too. */
  readonly library: ProjectLibrary
  /** Calls `listener` when another project was opened, and with the outcome of every save. Returns the function that unsubscribes it. */
  onState(listener: (state: OpenProject) => void): () => void
  /** Closes the open project, and stops listening to other tabs. */
  dispose(): Promise<void>
}

/** Creates the store of one account's projects on this device. */
export function createProjectStore(deps: ProjectStoreDeps = {}): ProjectStore {
  const context = createProjectContext(deps)
  const stateEmitter = createEmitter<OpenProject>()
  const session = createProjectSession(context, stateEmitter.emit)
  return Object.assign(session, {
    library: createProjectLibrary(context, session),
    onState: stateEmitter.subscribe,
    async dispose() {
      await session.close()
      context.close()
    },
  })
}
