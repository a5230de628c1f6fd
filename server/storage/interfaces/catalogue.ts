/** Number of rows imported, by key of the import file. */
export interface ImportSummary {
  playlists: number
  songs: number
  members: number
  supporters: number
  feed: number
}

export interface CatalogueImporter {
  /** Returns true if the catalogue has no songs. */
  isEmpty(): Promise<boolean>
  /**
   * Upserts all rows of a catalogue file by id (keys: `contract/import.ts`), all or none. Rows are written to staging tables while the site
   * keeps running, and published in one short transaction at the end. Memory use does not depend on the file's size.
   * @throws ImportError naming the first invalid row, for example `songs[17].date_added: …`
   */
  importFile(path: string): Promise<ImportSummary>
}
