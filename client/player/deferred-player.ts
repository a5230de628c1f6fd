import { createEmitter } from '../primitives/emitter.ts'
import { loadOnce } from '../primitives/single-flight.ts'
import { idleState, startPosition } from './idle-player.ts'
import type { PagePlayer, PlaybackPosition, Player, PlayerState } from './player-interface.ts'

/** The methods of a player that are executed after its code is loaded. */
const commandNames = [
  'play',
  'pause',
  'toggle',
  'seek',
  'next',
  'previous',
  'startSongRadio',
  'setEndless',
  'setLoop',
  'setShuffle',
  'playNext',
  'enqueue',
  'playFromQueue',
  'moveInQueue',
  'removeFromQueue',
  'clearQueue',
  'undoClearQueue',
  'setSleep',
  'setVolume',
  'setMuted',
] as const
type PlayerCommands = Pick<Player, (typeof commandNames)[number]>

interface DeferredPlayer {
  player: PagePlayer
  /** Loads the code, and returns the player that it creates. Rejects if loading fails. */
  loadPlayer(): Promise<Player>
  /** Redirects the commands to another player, whose state is then shown. Events of the previous player are still reported. */
  showPlayer(player: PagePlayer): void
}

/**
 * Returns a player whose code `importPlayer` fetches. A command loads the code, and is executed when the code is loaded. If loading for a command fails,
 * the status is `failed`, and `retry()` loads the code again.
 */
export function createDeferredPlayer(importPlayer: () => Promise<Player>): DeferredPlayer {
  const changeEmitter = createEmitter()
  const positionChanges = createEmitter<PlaybackPosition>()
  let loadedPlayer: PagePlayer | undefined
  let playerState: PlayerState = idleState
  const pendingCommands: ((player: PagePlayer) => void)[] = []

  function publishState(stateChange: Partial<PlayerState>) {
    playerState = { ...playerState, ...stateChange }
    changeEmitter.emit()
  }

  const loadPlayer = loadOnce(async () => {
    const player = await importPlayer()
    // The pending commands are executed before the subscription, so that a restored song is not published if another song was requested.
    for (const command of pendingCommands.splice(0)) command(player)
    showPlayer(player)
    return player
  })

  function showPlayer(player: PagePlayer) {
    loadedPlayer = player
    player.subscribe(changeEmitter.emit)
    player.onPosition(positionChanges.emit)
    changeEmitter.emit()
  }

  /** Executes `callPlayer` now if the chunk is loaded, else after the chunk is loaded. */
  function runWhenLoaded(callPlayer: (player: PagePlayer) => void) {
    if (loadedPlayer) callPlayer(loadedPlayer)
    else pendingCommands.push(callPlayer)
  }

  function loadForCommand() {
    if (loadedPlayer) return
    const error = { kind: 'network', message: "Part of the page didn't load." } as const
    loadPlayer().catch(() => publishState({ status: 'failed', error }))
  }

  function executeCommand(commandName: keyof PlayerCommands, args: unknown[]) {
    // The cast is safe: the types of `PlayerCommands` ensure that `args` fits the command.
    runWhenLoaded((player) => (player[commandName] as (...values: unknown[]) => void)(...args))
    loadForCommand()
  }
  // The cast restores the names of the commands, which the type of `Object.fromEntries` loses.
  const playerCommands = Object.fromEntries(
    commandNames.map((name) => [name, (...values: unknown[]) => executeCommand(name, values)]),
  ) as unknown as PlayerCommands

  const player: PagePlayer = {
    ...playerCommands,
    getSnapshot: () => loadedPlayer?.getSnapshot() ?? playerState,
    subscribe: changeEmitter.subscribe,
    onPosition: positionChanges.subscribe,
    position: () => loadedPlayer?.position() ?? startPosition,
    open(request) {
      if (!loadedPlayer) publishState({ status: 'loading', songId: request.songId, contextId: request.contextId, error: undefined })
      runWhenLoaded((player) => player.open(request))
      loadForCommand()
    },
    retry(staysPaused) {
      if (loadedPlayer) return loadedPlayer.retry(staysPaused)
      publishState({ status: 'loading', error: undefined })
      loadForCommand()
    },
    attachStage: (host) => runWhenLoaded((player) => player.attachStage(host)),
  }
  return { player, loadPlayer, showPlayer }
}
