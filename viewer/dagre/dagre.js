// SPDX-License-Identifier: Apache-2.0
/* In place of dagre's index.js: what the page uses. */
module.exports = { graphlib: require('./lib/graphlib'), layout: require('./lib/layout') };
