// SPDX-License-Identifier: Apache-2.0
/* In place of graphlib's index.js: what dagre uses. */
module.exports = {
    Graph: require('./lib/graph'),
    alg: { postorder: require('./lib/alg/postorder'), preorder: require('./lib/alg/preorder') },
};
