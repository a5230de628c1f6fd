import { useState } from 'react'
import { describeImportFailure } from '../../data/song-files/describe-import-failure.ts'
import { formatTooLargeMessage } from '../../data/song-files/read-song-file.ts'
import type { SongFile } from '../../data/song-files/song-file.ts'
import { useSignedInAccount } from '../../hooks/identity.ts'
import { useServices } from '../../hooks/services.tsx'
import { type MatchedPlaylists, matchPlaylists, readPlaylistFile, readYoutubePlaylist } from './match-songs.ts'

/** What an import has read, with the unreadable entries of its file. */
export interface ImportedPlaylists extends MatchedPlaylists, Pick<SongFile, 'unreadablePositions' | 'unit'> {}

type ImportState =
  | { step: 'choose'; failureText: string }
  | { step: 'matching'; matchedFraction: number }
  | { step: 'preview'; imported: ImportedPlaylists }

/** Reads playlists from a file or from YouTube, and finds their songs in the catalogue. */
export function useImport() {
  const { api, accountApi } = useServices()
  const isSignedIn = useSignedInAccount() !== undefined
  const [importState, setState] = useState<ImportState>({ step: 'choose', failureText: '' })
  const failImport = (failure: string) => setState({ step: 'choose', failureText: failure })
  const failWith = (error: unknown) => failImport(describeImportFailure(error))

  return {
    state: importState,
    async readFile(file: File) {
      // Shown before the file is read, because a large file takes seconds on a slow device.
      setState({ step: 'matching', matchedFraction: 0 })
      const songFile = await readPlaylistFile(file)
      if (songFile === 'too-large') return failImport(formatTooLargeMessage(file.name))
      if (!songFile) return failImport(`No songs could be read from ${file.name}.`)
      try {
        const matchedPlaylists = await matchPlaylists(
          { api, accountApi: isSignedIn ? accountApi : undefined },
          songFile.playlists,
          (matchedFraction) => setState({ step: 'matching', matchedFraction }),
        )
        const { unreadablePositions, unit } = songFile
        setState({ step: 'preview', imported: { ...matchedPlaylists, unreadablePositions, unit } })
      } catch (error) {
        failWith(error)
      }
    },
    async readAddress(url: string) {
      setState({ step: 'matching', matchedFraction: 0 })
      try {
        const matchedPlaylists = await readYoutubePlaylist(accountApi, url)
        setState({ step: 'preview', imported: { ...matchedPlaylists, unreadablePositions: [], unit: 'entry' } })
      } catch (error) {
        failWith(error)
      }
    },
  }
}
