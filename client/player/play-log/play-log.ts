import type { Song } from '../../../contract/song.ts'
import { addListening } from '../../data/listening.ts'
import type { LocalDatabase } from '../../data/local-database.ts'
import { recordPlay } from '../../data/recent-plays.ts'
import { addListener } from '../../primitives/scope.ts'
import type { PlayKind } from '../playback.ts'
import type { PagePlayer } from '../player-interface.ts'
import { createListeningMeter } from './listening-meter.ts'

/** Creates the log of the songs played on this device. It exists as long as the page. */
export function createPlayLog(database: LocalDatabase) {
  let listeningMeter: ReturnType<typeof openMeter> | undefined

  function openMeter(player: PagePlayer) {
    const openedMeter = createListeningMeter({
      player,
      report({ song, ...listening }) {
        addListening(database, { ...listening, songId: song.youtube_id, title: song.title, artist: song.author_name }).catch(() => {
          // The failure is ignored: if the database accepts no writes, neither on disk nor in memory, at most half a minute is not counted.
        })
      },
    })
    // The time is reported when the page is hidden, because a hidden page may be closed without another event.
    addListener(document, 'visibilitychange', () => document.visibilityState === 'hidden' && openedMeter.reportHeard())
    addListener(window, 'pagehide', openedMeter.reportHeard)
    return openedMeter
  }

  return {
    /**
     * Stores a play of a song. From the first play on, listening times are stored as well, except for the five seconds before that first
     * play counted. A song that is resumed counts with its time only.
     */
    async logPlay(player: PagePlayer, song: Song, songContextId: string | undefined, kind: PlayKind): Promise<void> {
      listeningMeter ??= openMeter(player)
      listeningMeter.countPlay(song, kind === 'resumed' ? 0 : 1)
      await recordPlay(database, song, songContextId, Date.now())
    },
  }
}
