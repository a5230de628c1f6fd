/** The roles of the elements that the journey uses. */
type Role = 'button' | 'heading' | 'link'

/** CSS selectors for the elements that can have a role. */
export const SELECTORS: Readonly<Record<Role, string>> = {
  button: 'button',
  heading: 'h1, h2, h3',
  link: 'a[href]',
}

/** An element, identified by its role and its accessible name, as assistive technology finds it. */
export interface Target {
  readonly role: Role
  readonly name: string
}

export interface Download {
  readonly name: string
  readonly bytes: Buffer
}

/**
 * A page of one of the tested browsers. All methods that name a target wait until a visible element has its role and name, and throw if
 * none has after WAIT_MS.
 */
export interface DrivenPage {
  open(url: string): Promise<void>
  waitFor(target: Target): Promise<void>
  press(target: Target): Promise<void>
  /** Types a text into the empty field with the given label. */
  type(label: string, text: string): Promise<void>
  /** Chooses the file at `path` in the file input with the given label. */
  chooseFile(label: string, path: string): Promise<void>
  /** Waits until the page shows a text. */
  waitForText(text: string): Promise<void>
  /** Presses a target that saves a file. Returns the file. */
  download(target: Target): Promise<Download>
  /** Runs a function in the page. Returns its result. */
  evaluate<Result>(run: () => Promise<Result>): Promise<Result>
  setSize(width: number, height: number): Promise<void>
  screenshot(): Promise<Buffer>
  /**
   * Returns the console errors and uncaught errors since the page was opened, and the requests to hosts other than the site and YouTube.
   */
  readErrors(): Promise<string[]>
  close(): Promise<void>
}

/** The time limit of a wait. It is so long that a wait exceeds it only if the element is missing. */
export const WAIT_MS = 60_000
