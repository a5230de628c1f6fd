import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { useSignedInAccount } from '../../hooks/identity.ts'
import { useServices } from '../../hooks/services.tsx'
import { createCleanupScope } from '../../primitives/scope.ts'
import { adoptEarlierPresets, changeOwnPresets, readOwnPresets, subscribeToOwnPresets, syncOwnPresets } from './own-presets.ts'
import type { Preset } from './presets.ts'

/** Returns the presets of the signed-in account. They are stored on this device, and sent to the account when the server can be reached. */
export function useOwnPresets() {
  const uid = useSignedInAccount()?.uid ?? ''
  const sync = usePresetSync(uid)
  const ownPresets = useSyncExternalStore(subscribeToOwnPresets, () => readOwnPresets(uid))
  const changePresets = (presetChanges: Parameters<typeof changeOwnPresets>[1]) => {
    changeOwnPresets(uid, presetChanges)
    sync()
  }
  return {
    presets: ownPresets,
    /** Saves presets. A preset of the same name is replaced. */
    save: (saved: readonly Preset[]) => changePresets(saved),
    rename: ({ name, settings }: Preset, newName: string) => {
      if (newName !== name)
        changePresets([
          { name, settings: null },
          { name: newName, settings },
        ])
    },
    remove: (name: string) => changePresets([{ name, settings: null }]),
  }
}

/**
 * Returns a function that sends the changes of this device. Changes that cannot be sent now are sent at the next change, at the next visit
 * or when the connection is restored.
 */
function usePresetSync(uid: string): () => void {
  const { accountApi } = useServices()
  return useCallback(() => {
    if (uid !== '') syncOwnPresets(accountApi, uid).catch(() => {})
  }, [accountApi, uid])
}

/** Synchronizes the presets of this device with those of the account while the maker is shown. */
export function useOwnPresetsSync(): void {
  const uid = useSignedInAccount()?.uid ?? ''
  const sync = usePresetSync(uid)
  useEffect(() => {
    if (uid === '') return
    adoptEarlierPresets(uid)
    sync()
    const scope = createCleanupScope()
    for (const type of ['online', 'focus']) scope.listen(window, type, sync)
    return scope.dispose
  }, [uid, sync])
}
