import { cutMiddle } from '../../ui/cut-middle.ts'
import { useToast } from '../../ui/toast.tsx'
import { EDIT_IN_USE_TEXT, UNDO_OFFERED_MS } from './messages.ts'
import type { Engine } from './use-maker.ts'

/**
 * Returns the function that removes the open song with its edit, and shows a button that restores both. If the edit cannot be deleted, the song
 * stays open. A song that is not saved is only unloaded.
 */
export function useRemoval(engine: Engine): () => Promise<void> {
  const toast = useToast()
  return async () => {
    const { projectId, sound, saveProblem } = engine.getSnapshot()
    const isSaved = projectId !== undefined && saveProblem === undefined
    const isDeleted = isSaved ? await engine.projects.remove(projectId) : await engine.clear()
    if (!isDeleted && isSaved) toast({ text: EDIT_IN_USE_TEXT, kind: 'bad' })
    if (!isDeleted || projectId === undefined) return
    const undoOpen = async () => {
      if (await engine.projects.restore(projectId)) await engine.openProject(projectId)
    }
    toast({
      text: `Deleted: ${cutMiddle(sound?.name ?? '')}`,
      icon: 'trash',
      durationMs: UNDO_OFFERED_MS,
      action: { label: 'Undo', onSelect: () => void undoOpen() },
    })
  }
}
