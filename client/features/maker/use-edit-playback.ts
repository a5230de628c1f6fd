import { useEffect, useSyncExternalStore } from 'react'
import { usePlayer, usePlayerState } from '../../hooks/player.tsx'
import { type Services, useServices } from '../../hooks/services.tsx'
import { localStore } from '../../platform/web-storage.ts'
import { type OpenSound, SoundUnavailable } from '../../player/edits/audio-slot.ts'
import type { EditsPlayer } from '../../player/edits/edits-player.ts'
import { createEmitter } from '../../primitives/emitter.ts'
import { getCachedCoverUrl } from './use-edit-cover.ts'
import type { Engine, ProjectSummary } from './use-maker.ts'

/** The lengths of the crossfade in seconds that can be chosen. */
export const CROSSFADE_SECONDS = ['0', '2', '4', '8', '12'] as const
export type Crossfade = (typeof CROSSFADE_SECONDS)[number]

const CROSSFADE_KEY = 'varispeed.crossfade'
const crossfadeChanges = createEmitter()
/** The setting of this page, if the browser denies access to localStorage. */
let unstoredCrossfade: Crossfade | undefined

function readCrossfade(): Crossfade {
  const stored = unstoredCrossfade ?? localStore.read(CROSSFADE_KEY)
  return CROSSFADE_SECONDS.find((seconds) => seconds === stored) ?? '0'
}

export function setCrossfade(crossfadeSeconds: Crossfade): void {
  unstoredCrossfade = localStore.write(CROSSFADE_KEY, crossfadeSeconds) ? undefined : crossfadeSeconds
  crossfadeChanges.emit()
}

/** Returns the crossfade between two edits, which is stored on this device; no crossfade by default. */
export const useCrossfade = (): Crossfade => useSyncExternalStore(crossfadeChanges.subscribe, readCrossfade, () => '0')

/** The players by their engines, of which each account has its own. They play on after the maker's page is left. */
const playerByEngine = new WeakMap<Engine, Promise<EditsPlayer>>()

function openEditsPlayer(services: Services, engine: Engine): Promise<EditsPlayer> {
  const knownPlayer = playerByEngine.get(engine)
  if (knownPlayer !== undefined) return knownPlayer
  const openingPlayer = createPlayerOfEngine(services, engine)
  playerByEngine.set(engine, openingPlayer)
  // The failed promise is dropped, so that the next call loads the code again.
  openingPlayer.catch(() => playerByEngine.delete(engine))
  return openingPlayer
}

/** Creates the player of an account's edits, as a part of the site's player until another account signs in. */
async function createPlayerOfEngine({ identity, loadPlayer, showPlayer }: Services, engine: Engine): Promise<EditsPlayer> {
  const uid = identity.getSnapshot()?.uid
  const [{ createEditsPlayer }, { createSwitchedPlayer }, songPlayer] = await Promise.all([
    import('../../player/edits/edits-player.ts'),
    import('../../player/edits/switched-player.ts'),
    loadPlayer(),
  ])
  const editsPlayer = createEditsPlayer({ openSound: createSoundOpener(engine), crossfadeSeconds: () => Number(readCrossfade()) })
  const switchedPlayer = createSwitchedPlayer(songPlayer, editsPlayer.player)
  showPlayer(switchedPlayer.player)
  const closeIfAccountChanged = () => {
    if (identity.getSnapshot()?.uid === uid) return
    unsubscribe()
    switchedPlayer.disconnect()
    editsPlayer.player.close()
    playerByEngine.delete(engine)
  }
  const unsubscribe = identity.subscribe(closeIfAccountChanged)
  closeIfAccountChanged()
  return editsPlayer
}

const createSoundOpener =
  (engine: Engine): OpenSound =>
  async (editId, signal) => {
    const sound = await engine.openFinishedSound(editId, signal)
    if (sound.kind === 'finished') return sound
    throw new SoundUnavailable(sound.kind === 'no-project' ? 'missing' : sound.kind === 'no-room' ? 'no-room' : 'unplayable')
  }

export interface EditPlayback {
  /** The id of the edit that the site's player plays or has paused. */
  readonly currentId: string | undefined
  /** Whether this edit is playing, or will play once its sound is rendered. */
  readonly isPlaying: boolean
  /** Plays edits in this order, or shuffled, from one of them on. Rejects if the code cannot be loaded. */
  play(edits: readonly ProjectSummary[], startId: string, options?: { shuffle?: boolean }): Promise<void>
  /** Pauses or resumes the current edit. */
  toggle(): void
}

/** @param edits all edits of the account; `undefined` until they are read */
export function useEditPlayback(engine: Engine, edits: readonly ProjectSummary[] | undefined): EditPlayback {
  const services = useServices()
  const player = usePlayer()
  const currentEditId = usePlayerState(({ current }) => (current?.artwork ? current.youtube_id : undefined))
  const isPlaying = usePlayerState(({ status }) => status === 'playing' || status === 'loading')
  // The code is loaded before a person presses play, because WebKit starts a sound only in the task of the press.
  useEffect(() => {
    openEditsPlayer(services, engine).then(
      (editsPlayer) => editsPlayer.noteChanges(edits ?? []),
      () => {},
    )
  }, [services, engine, edits])
  return {
    currentId: currentEditId,
    isPlaying,
    async play(edits, startId, playOptions) {
      const editsPlayer = await openEditsPlayer(services, engine)
      editsPlayer.play(
        edits.map((edit) => ({ ...edit, pictureUrl: getCachedCoverUrl(edit) })),
        startId,
        playOptions,
      )
    },
    toggle: () => player.toggle(),
  }
}
