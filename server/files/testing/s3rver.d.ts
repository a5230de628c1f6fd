declare module '@20minutes/s3rver' {
  interface Options {
    address: string
    port: number
    silent: boolean
    /** The folder of the objects. */
    directory: string
    configureBuckets: readonly { name: string; configs: readonly string[] }[]
  }
  export default class S3rver {
    constructor(options: Options)
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
}
