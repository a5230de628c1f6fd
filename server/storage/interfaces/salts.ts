export interface SaltStore {
  /** Returns the random salt of a day (days since the epoch, UTC), which all processes of the database share. Deletes those of earlier days. */
  ofDay(day: number): Promise<string>
}
