/** For route loaders: begins to load the songs of a context, which the player needs as soon as it is loaded. */
export { prepareContext as prepareQueue } from '../data/queue-context.ts'
