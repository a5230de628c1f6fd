import type { ImportRow } from '../../../contract/import.ts'

/** Number of rows imported, by key of the import file. */
export interface ImportSummary {
  playlists: number
  songs: number
  members: number
  supporters: number
  feed: number
}

/** Reads of the catalogue for imports that continue from it. */
export interface CatalogueReads {
  /** Lists the ids of the playlists, without the computed ones. */
  listPlaylistIds(): Promise<string[]>
  /** Returns a playlist as an import file would have it; `undefined` if the id is unknown or a computed playlist's. */
  readPlaylist(playlistId: string): Promise<ImportRow<'playlists'> | undefined>
  /** Returns those of the ids whose songs are stored with their duration. */
  listCompleteSongs(songIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Lists the channel ids of the members, of the Academy too. */
  listMemberChannels(): Promise<string[]>
}

export interface CatalogueImporter extends CatalogueReads {
  /** Returns true if the catalogue has no songs. */
  isEmpty(): Promise<boolean>
  /**
   * Upserts all rows of a catalogue file by id (keys: `contract/import.ts`), all or none. Rows are written to staging tables while the site
   * keeps running, and published in one short transaction at the end. Memory use does not depend on the file's size.
   * @throws ImportError naming the first invalid row, for example `songs[17].date_added: …`
   */
  importFile(path: string): Promise<ImportSummary>
}
