import type { Song } from '../../contract/song.ts'
import type { EndingRules } from './ending-rules.ts'
import type { Player } from './player-interface.ts'
import type { PlayerModel } from './player-model.ts'
import type { QueueAction } from './queue.ts'
import type { SessionSaver } from './session-saver.ts'
import type { SongLoader } from './song-loader.ts'

/** The player's commands that change which songs follow. After each of them this page's session replaces the stored one. */
export type QueueCommands = Pick<
  Player,
  'setLoop' | 'setShuffle' | 'playNext' | 'enqueue' | 'playFromQueue' | 'moveInQueue' | 'removeFromQueue' | 'clearQueue' | 'undoClearQueue'
>

interface QueueCommandsDeps {
  model: PlayerModel
  loader: SongLoader
  endingRules: EndingRules
  sessionSaver: SessionSaver
  openSong: Player['open']
}

export function createQueueCommands({ model, loader, endingRules, sessionSaver, openSong }: QueueCommandsDeps): QueueCommands {
  function dispatch(action: QueueAction) {
    sessionSaver.activate()
    model.dispatch(action)
  }

  function queueSong(type: 'play-next' | 'enqueue', song: Song) {
    if (model.songId === undefined) openSong({ songId: song.youtube_id })
    else dispatch({ type, song })
  }

  return {
    setLoop: (loop) => dispatch({ type: 'loop', loop }),
    setShuffle: (shuffle) => dispatch({ type: 'shuffle', shuffle }),
    playNext: (song) => queueSong('play-next', song),
    enqueue: (song) => queueSong('enqueue', song),
    playFromQueue(index) {
      if (!model.queue.entries[index]) return
      endingRules.resetSkipCount()
      dispatch({ type: 'take', index })
      loader.start()
    },
    moveInQueue: (from, to) => dispatch({ type: 'move', from, to }),
    removeFromQueue: (index) => dispatch({ type: 'remove', index }),
    clearQueue: () => dispatch({ type: 'clear' }),
    undoClearQueue: () => dispatch({ type: 'undo-clear' }),
  }
}
