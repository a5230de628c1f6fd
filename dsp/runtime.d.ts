// Declares globals that all JavaScript runtimes have and that TypeScript's ES library lacks. Used by the tsconfig of dsp only; the page, its workers
// and the server use complete declarations.
declare namespace WebAssembly {
  class Module {
    constructor(bytes: ArrayBuffer | Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>)
    readonly exports: Record<string, unknown>
  }
  class CompileError extends Error {}
  class Memory {
    constructor(descriptor: { initial: number; maximum: number })
    readonly buffer: ArrayBuffer
  }
}
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>
}
declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean })
  decode(bytes: Uint8Array): string
}
