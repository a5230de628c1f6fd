/** The ARIA roles of the elements that the test in `journey.ts` uses. */
type Role = 'button' | 'heading' | 'link'

/** For each role, a CSS selector of the elements that can have it. */
export const ROLE_SELECTORS: Readonly<Record<Role, string>> = {
  button: 'button',
  heading: 'h1, h2, h3',
  link: 'a[href]',
}

/** An element, identified by its role and its accessible name, as assistive technology finds it. */
export interface ElementTarget {
  readonly role: Role
  readonly name: string
}

export interface DownloadedFile {
  readonly name: string
  readonly bytes: Buffer
}

/**
 * A page of one of the tested browsers. All methods with a target wait until a visible element has the role and the name of the target, and
 * throw if no element has them after WAIT_LIMIT_MS.
 */
export interface AutomatedPage {
  open(url: string): Promise<void>
  waitFor(target: ElementTarget): Promise<void>
  press(target: ElementTarget): Promise<void>
  /** Types a text into the empty field with the given label. */
  type(label: string, text: string): Promise<void>
  /** Chooses the file at `path` in the file input with the given label. */
  chooseFile(label: string, path: string): Promise<void>
  /** Waits until the page shows a text. */
  waitForText(text: string): Promise<void>
  /** Presses an element that saves a file. Returns the file. */
  download(target: ElementTarget): Promise<DownloadedFile>
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
export const WAIT_LIMIT_MS = 60_000
