/** The roles of the elements that the journey uses. */
type Role = 'button' | 'heading' | 'link'

/** Matches the elements that can have a role. */
export const SELECTORS: Readonly<Record<Role, string>> = {
  button: 'button',
  heading: 'h1, h2, h3',
  link: 'a[href]',
}

/** An element by its role and its accessible name, as assistive technology finds it. */
export interface Target {
  readonly role: Role
  readonly name: string
}

export interface Download {
  readonly name: string
  readonly bytes: Buffer
}

/**
 * A page of some browser. All methods that name a target wait until a visible element has its role and name, and throw if none has after
 * WAIT_MS.
 */
export interface DrivenPage {
  open(url: string): Promise<void>
  waitFor(target: Target): Promise<void>
  press(target: Target): Promise<void>
  /** Types into the empty field with a label. */
  type(label: string, text: string): Promise<void>
  /** Chooses the file at `path` in the file input with a label. */
  chooseFile(label: string, path: string): Promise<void>
  /** Waits until the page has a visible text. */
  waitForText(text: string): Promise<void>
  /** Presses a target that saves a file, and returns the file. */
  download(target: Target): Promise<Download>
  /** Runs a function in the page, and returns its result. */
  evaluate<Result>(run: () => Promise<Result>): Promise<Result>
  setSize(width: number, height: number): Promise<void>
  screenshot(): Promise<Buffer>
  /** Returns the console errors and uncaught errors since the page was opened, and the requests to other hosts than the site and YouTube. */
  readErrors(): Promise<string[]>
  close(): Promise<void>
}

/** The limit of a wait, so long that only a missing element exceeds it. */
export const WAIT_MS = 60_000
